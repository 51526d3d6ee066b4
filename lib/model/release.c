/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words for kinds of releases and for evidence, as they appear in JSON.
 */
#include "model/release.h"

#include <stddef.h>

const char *swt_release_kind_name(enum swt_release_kind k)
{
	switch (k) {
	case SWT_REL_EXIT:
		return "exit";
	case SWT_REL_EXEC:
		return "exec";
	case SWT_REL_LASTREF:
		return "lastref";
	case SWT_REL_REAPED:
		return "reaped";
	}
	return "exit";
}

const char *swt_evidence_name(enum swt_evidence e)
{
	switch (e) {
	case SWT_BY_NONE:
		return NULL;
	case SWT_BY_SWAP_EXIT_BEGIN:
		return "swap_exit_begin";
	case SWT_BY_SWAP_EXIT_END:
		return "swap_exit_end";
	case SWT_BY_SCHED_EXIT:
		return "sched_process_exit";
	case SWT_BY_SIGNAL_DELIVER:
		return "signal_deliver";
	case SWT_BY_RSS_STAT:
		return "rss_stat";
	case SWT_BY_EXIT_MMAP:
		return "exit_mmap";
	case SWT_BY_SCHED_EXEC:
		return "sched_process_exec";
	case SWT_BY_SCHED_FREE:
		return "sched_process_free";
	case SWT_BY_VMSWAP:
		return "vmswap";
	case SWT_BY_VMSWAP_RSS:
		return "vmswap+rss_stat";
	case SWT_BY_INHERITED:
		return "inherited";
	case SWT_BY_SAMPLE:
		return "sample";
	}
	return NULL;
}
