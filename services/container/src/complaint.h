/* The one line on stderr that says why a program ends. */
#ifndef ROLLCALL_COMPLAINT_H
#define ROLLCALL_COMPLAINT_H

/* Control characters, which a path may have, are shown as '?'. What cannot be written is lost. */
void complaint_write(const char *program, const char *text);

#endif
