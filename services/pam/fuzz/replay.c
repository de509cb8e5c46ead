/* Replays a corpus without libFuzzer: replay DIRECTORY, where each file is an input. Each is read from a copy of
 * exactly its size, so that the sanitizers see a byte read too far. An input that is not sound ends the process, and
 * the line before says which. */
#include <dirent.h>
#include <string.h>

#include "tap.h"
#include "target.h"

/* As long as the longest input of libFuzzer here, and more. */
#define INPUT_MAX (64 * 1024)

static void replay(const char *directory, const char *name)
{
    static uint8_t bytes[INPUT_MAX];
    char path[1024];
    size_t length;
    uint8_t *copy;
    FILE *in;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    in = fopen(path, "r");
    demand(in != NULL, path);
    length = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    tap_say("%s", path);
    copy = malloc(length > 0 ? length : 1);
    demand(copy != NULL, "no memory");
    memcpy(copy, bytes, length);
    LLVMFuzzerTestOneInput(copy, length);
    free(copy);
}

int main(int count, char **arguments)
{
    const char *directory = count > 1 ? arguments[1] : "";
    DIR *inputs = opendir(directory);
    int replayed = 0;

    demand(inputs != NULL, "replay DIRECTORY");
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (struct dirent *entry = readdir(inputs); entry != NULL; entry = readdir(inputs)) {
        if (entry->d_type == DT_DIR)
            continue;
        replay(directory, entry->d_name);
        replayed++;
    }
    closedir(inputs);
    tap(replayed > 0, "%d inputs of %s left the reader sound", replayed, directory);
    return tap_done();
}
