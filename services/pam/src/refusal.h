/* The line that a refused user reads. */
#ifndef ROLLCALL_REFUSAL_H
#define ROLLCALL_REFUSAL_H

#include "visit.h"

/* Shows "Access denied by pam_rollcall on NODE: REASON. Help: TEXT". The node's name and the site's help text
 * (denied_help of agent.yaml) are from the agent's files, so that they are there while no agent runs. Without the files
 * the name is nodename= of the PAM line, or the host's, and there is no help text. */
void refusal_show(const struct visit *visit, const char *reason);

#endif
