/* What ps(1) shows of this process. */
#ifndef ROLLCALL_TITLE_H
#define ROLLCALL_TITLE_H

/* The name of the process (of which the kernel keeps 15 bytes), and its command line, which is overwritten, so nothing
 * that points into argv is good afterwards. The title itself may; 63 characters of it count. */
void title_set(const char *title, int count, char **words);

#endif
