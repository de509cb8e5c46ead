#include "kinds.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

struct names {
    const char *word;
    const char *file;
    int flag;
};

static const struct names all[] = {
    [KIND_USER] = {"user", "user", CLONE_NEWUSER}, [KIND_PID] = {"pid", "pid", CLONE_NEWPID},
    [KIND_IPC] = {"ipc", "ipc", CLONE_NEWIPC},     [KIND_UTS] = {"uts", "uts", CLONE_NEWUTS},
    [KIND_NET] = {"net", "net", CLONE_NEWNET},     [KIND_CGROUP] = {"cgroup", "cgroup", CLONE_NEWCGROUP},
    [KIND_MOUNT] = {"mount", "mnt", CLONE_NEWNS},
};

const char *kind_word(enum kind kind)
{
    return all[kind].word;
}

const char *kind_file(enum kind kind)
{
    return all[kind].file;
}

int kind_flag(enum kind kind)
{
    return all[kind].flag;
}

void kinds_list(int flags, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < KINDS && used < size; i++) {
        if ((flags & all[i].flag) != 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ", all[i].word);
    }
}
