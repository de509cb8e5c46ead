/* The job's variables for the session. */
#ifndef ROLLCALL_ENVIRONMENT_H
#define ROLLCALL_ENVIRONMENT_H

#include <stdbool.h>

#include "rollcall/loginsocket/v1/login_socket.pb.h"
#include "tell.h"

/* True for a name of letters, digits and underscores that neither the dynamic linker nor a shell obeys, and that sshd
 * does not set by itself: its children start with these variables, some of them before they switch to the user. The
 * agent's own list (EnvironmentAllowList) is longer; this one holds whatever the agent says. */
bool environment_allows(const char *name);

/* Puts the reply's variables into the PAM environment. One that is not allowed, or cannot be put, is logged and left
 * out. */
void environment_put(const struct teller *teller, const rollcall_loginsocket_v1_LoginReply *reply);

#endif
