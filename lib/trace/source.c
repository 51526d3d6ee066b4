/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the sources.
 */
#include "trace/source.h"

const char *swt_source_name(enum swt_source_kind k)
{
	switch (k) {
	case SWT_SOURCE_PROC:
		return "proc";
	case SWT_SOURCE_STOCK:
		return "stock";
	case SWT_SOURCE_PATCHED:
		return "patched";
	}
	return "?";
}
