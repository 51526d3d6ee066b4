/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A circular doubly linked list whose links live inside the members.
 *
 * Order matters to the model (oldest first), and the order of a hash table must never show in its results.
 */
#ifndef SWT_MODEL_LIST_H
#define SWT_MODEL_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct swt_node {
	struct swt_node *prev, *next; /* both NULL: on no list */
};

#define swt_list_item(node, type, member) ((type *)(void *)((char *)(node)-offsetof(type, member)))

/* Safe against removal of @pos, and only of @pos, in the body. */
#define swt_list_each(pos, tmp, head) \
	for ((pos) = (head)->next, (tmp) = (pos)->next; (pos) != (head); (pos) = (tmp), (tmp) = (pos)->next)

static inline void swt_list_init(struct swt_node *head)
{
	head->prev = head->next = head;
}

static inline bool swt_list_empty(const struct swt_node *head)
{
	return head->next == head;
}

static inline bool swt_list_on(const struct swt_node *node)
{
	return node->next;
}

static inline void swt_list_add_tail(struct swt_node *head, struct swt_node *node)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}

static inline void swt_list_add_after(struct swt_node *pos, struct swt_node *node)
{
	swt_list_add_tail(pos->next, node);
}

/* Nothing happens when @node is on no list. */
static inline void swt_list_del(struct swt_node *node)
{
	if (!node->next)
		return;
	node->prev->next = node->next;
	node->next->prev = node->prev;
	node->prev = node->next = NULL;
}

#endif
