/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record bytes to struct swt_event, by the list of steps made from the format.
 */
#include "trace/decode.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "trace/formats-priv.h"

static inline uint16_t load16(const uint8_t *p, bool swap)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t load32(const uint8_t *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t load64(const uint8_t *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

/* A common field: 1, 2 or 4 bytes, inside the record. */
static inline uint32_t load_common(const uint8_t *rec, struct swt_field_pos pos, bool swap)
{
	if (pos.size == 2)
		return load16(rec + pos.offset, swap);
	return pos.size == 4 ? load32(rec + pos.offset, swap) : rec[pos.offset];
}

static bool load_str(const uint8_t *rec, size_t len, const struct swt_op *op, bool swap, struct swt_str *ret)
{
	size_t off = op->offset, size = op->size;
	const uint8_t *nul;

	if (op->code == SWT_OP_REST) {
		/* Raw bytes, NULs included. */
		*ret = (struct swt_str){ (const char *)rec + off, (uint32_t)(len - off) };
		return true;
	}
	if (op->code != SWT_OP_ARRAY) {
		uint32_t loc = load32(rec + off, swap);

		off = (loc & 0xffff) + (op->code == SWT_OP_REL_LOC ? off + size : 0);
		size = loc >> 16;
		if (off > len || size > len - off)
			return false;
	}
	nul = size ? memchr(rec + off, 0, size) : NULL;
	if (nul)
		size = (size_t)(nul - (rec + off));
	*ret = (struct swt_str){ (const char *)rec + off, (uint32_t)size };
	return true;
}

static inline bool run_op(const uint8_t *rec, size_t len, const struct swt_op *op, bool swap,
			  struct swt_event *ev)
{
	const uint8_t *p = rec + op->offset;
	int64_t v;

	if ((size_t)op->offset + op->size > len)
		return false;
	switch (op->code) {
	case SWT_OP_U8:
		v = *p;
		break;
	case SWT_OP_S8:
		v = (int8_t)*p;
		break;
	case SWT_OP_U16:
		v = load16(p, swap);
		break;
	case SWT_OP_S16:
		v = (int16_t)load16(p, swap);
		break;
	case SWT_OP_U32:
		v = load32(p, swap);
		break;
	case SWT_OP_S32:
		v = (int32_t)load32(p, swap);
		break;
	case SWT_OP_64:
		v = (int64_t)load64(p, swap);
		break;
	default:
		return load_str(rec, len, op, swap, &ev->str[op->str]);
	}
	ev->f[op->field] = v;
	return true;
}

static inline void run_ops(const struct swt_fmt_event *fe, const uint8_t *rec, size_t len, bool swap,
			   struct swt_event *ev)
{
	for (unsigned int i = 0; i < fe->nops; i++)
		if (run_op(rec, len, &fe->op[i], swap, ev))
			ev->have |= 1u << fe->op[i].field;
}

int swt_decode(const struct swt_formats *f, const void *rec, size_t len, struct swt_event *ev)
{
	const struct swt_fmt_event *fe;
	unsigned int number;

	if (!f->type.size || (size_t)f->type.offset + f->type.size > len)
		return -EBADMSG;
	number = load_common(rec, f->type, f->swap);
	if (number >= f->nnumber || !f->number[number])
		return -EBADMSG;
	fe = f->number[number];
	if (fe->id < 0)
		return 0;
	if ((size_t)fe->pid.offset + fe->pid.size > len)
		return -EBADMSG;
	ev->id = (uint16_t)fe->id;
	ev->task = (int32_t)load_common(rec, fe->pid, f->swap);
	ev->have = 0;
	memset(ev->f, 0, sizeof(ev->f));
	memset(ev->str, 0, sizeof(ev->str));
	/* Two copies of the loop, so that the common one has no byte swapping in it. */
	if (f->swap)
		run_ops(fe, rec, len, true, ev);
	else
		run_ops(fe, rec, len, false, ev);
	return 1;
}
