#include "hex.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static int digit(int character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

size_t hex_read(const char *file, uint8_t *bytes, size_t size)
{
    FILE *in = fopen(file, "r");
    size_t length = 0;
    int character;

    if (in == NULL) {
        perror(file);
        exit(1);
    }
    while ((character = getc(in)) != EOF) {
        int high;
        int low;

        if (character == '#') {
            while (character != '\n' && character != EOF)
                character = getc(in);
            continue;
        }
        if (isspace(character))
            continue;
        high = digit(character);
        low = digit(getc(in));
        if (high < 0 || low < 0 || length == size) {
            fprintf(stderr, "%s: not hexadecimal, or longer than %zu bytes, at byte %zu\n", file, size, length);
            exit(1);
        }
        bytes[length++] = (uint8_t)(high << 4 | low);
    }
    fclose(in);
    return length;
}
