/* Bytes written as text: two hexadecimal digits each, white space between them, "#" to the end of the line is a remark.
 */
#ifndef ROLLCALL_HEX_H
#define ROLLCALL_HEX_H

#include <stddef.h>
#include <stdint.h>

/* How many bytes the file holds; ends the process if it cannot be read or does not fit. */
size_t hex_read(const char *file, uint8_t *bytes, size_t size);

#endif
