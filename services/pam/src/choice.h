/* Between several jobs the user decides, where the PAM conversation can ask. */
#ifndef ROLLCALL_CHOICE_H
#define ROLLCALL_CHOICE_H

#include <stdint.h>

#include "options.h"
#include "rollcall/loginsocket/v1/login_socket.pb.h"
#include "tell.h"

/* Of one login: how often its user is asked. */
#define CHOICE_ASKS_MAX 3

enum choice {
    CHOICE_MADE,       /* one of the offered jobs */
    CHOICE_DECLINED,   /* the user was asked and named none */
    CHOICE_IMPOSSIBLE, /* the user cannot be asked: nothing was shown, and no time has passed */
};

/* Asks until there is an answer that makes sense, or asks_left are used up. otherwise: what becomes of a user who names
 * none. */
enum choice choice_ask(const struct teller *teller, enum action otherwise,
                       const rollcall_loginsocket_v1_LoginReply *reply, int *asks_left, uint64_t *job_id);

#endif
