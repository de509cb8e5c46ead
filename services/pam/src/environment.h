/* The job's variables for the session. */
#ifndef ROLLCALL_ENVIRONMENT_H
#define ROLLCALL_ENVIRONMENT_H

#include <stdbool.h>

#include "rollcall/door/v1/door.pb.h"
#include "tell.h"

/* True for a name of letters, digits and underscores that the dynamic linker does not obey. sshd's children start with these variables before they are the user's. */
bool environment_allows(const char *name);

/* Puts the reply's variables into the PAM environment. One that is not allowed, or cannot be put, is logged and left out. */
void environment_put(const struct teller *teller, const rollcall_door_v1_DoorReply *reply);

#endif
