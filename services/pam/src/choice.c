#include "choice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 20 digits of a job's number, the words, and what is around them; and the lines before and after. */
#define LINE_MAX_BYTES (20 + sizeof(((rollcall_loginsocket_v1_OfferedJob *)NULL)->words) + 16)
#define OFFERED_MAX                                                                                                    \
    (sizeof(((rollcall_loginsocket_v1_LoginReply *)NULL)->offered_jobs) / sizeof(rollcall_loginsocket_v1_OfferedJob))
#define PROMPT_MAX (OFFERED_MAX * LINE_MAX_BYTES + 256)

struct text {
    char bytes[PROMPT_MAX];
    size_t length;
};

static void append_byte(struct text *text, char byte)
{
    if (text->length + 1 < sizeof text->bytes)
        text->bytes[text->length++] = byte;
    text->bytes[text->length] = '\0';
}

/* Printable ASCII alone: what the agent tells is shown on a terminal, which obeys what it is sent. */
static void append(struct text *text, const char *from)
{
    for (; *from != '\0'; from++)
        append_byte(text, *from >= ' ' && *from <= '~' ? *from : '?');
}

static void append_job(struct text *text, size_t number, const rollcall_loginsocket_v1_OfferedJob *job)
{
    char line[LINE_MAX_BYTES];

    snprintf(line, sizeof line, "  %zu) job %" PRIu64 "%s%s", number, job->job_id, job->words[0] != '\0' ? ", " : "",
             job->words);
    append(text, line);
    append_byte(text, '\n');
}

static const char *words_of(enum action otherwise)
{
    switch (otherwise) {
    case ACTION_NEWEST:
        return "Enter for the newest: ";
    case ACTION_ALLOW:
        return "Enter for none: ";
    case ACTION_DENY:
    case ACTION_IGNORE:
        break;
    }
    return "Enter to leave: ";
}

/* The list is in the prompt and not before it: a conversation that cannot ask, as sshd's for a key, would keep what is
 * to be told and show it later. */
static void write_prompt(struct text *text, enum action otherwise, const rollcall_loginsocket_v1_LoginReply *reply,
                         bool again)
{
    text->length = 0;
    append(text,
           again ? "That is none of these jobs:" : "You have several jobs here; for which of them is this session?");
    append_byte(text, '\n');
    for (size_t i = 0; i < reply->offered_jobs_count; i++)
        append_job(text, i + 1, &reply->offered_jobs[i]);
    append(text, "Number of the line or of the job, or ");
    append(text, words_of(otherwise));
}

/* Not by pam_prompt(3), which writes to the log when a conversation cannot ask, and waits for the log daemon. NULL: it
 * cannot. The caller frees. */
static char *converse(pam_handle_t *pam, const char *prompt)
{
    const struct pam_message message = {.msg_style = PAM_PROMPT_ECHO_ON, .msg = prompt};
    const struct pam_message *messages = &message;
    const void *item = NULL;
    const struct pam_conv *conversation;
    struct pam_response *response = NULL;
    char *answer;

    if (pam_get_item(pam, PAM_CONV, &item) != PAM_SUCCESS || item == NULL)
        return NULL;
    conversation = item;
    if (conversation->conv == NULL
        || conversation->conv(1, &messages, &response, conversation->appdata_ptr) != PAM_SUCCESS || response == NULL)
        return NULL;
    answer = response->resp;
    free(response);
    return answer;
}

enum answer { ANSWER_EMPTY, ANSWER_NONSENSE, ANSWER_NUMBER };

static enum answer read_answer(const char *answer, uint64_t *number)
{
    size_t digits;

    answer += strspn(answer, " \t\r\n");
    digits = strspn(answer, "0123456789");
    if (answer[0] == '\0')
        return ANSWER_EMPTY;
    if (digits == 0 || digits > 19 || answer[digits + strspn(answer + digits, " \t\r\n")] != '\0')
        return ANSWER_NONSENSE;
    *number = strtoull(answer, NULL, 10);
    return ANSWER_NUMBER;
}

static bool pick(const rollcall_loginsocket_v1_LoginReply *reply, uint64_t number, uint64_t *job_id)
{
    if (number >= 1 && number <= reply->offered_jobs_count) {
        *job_id = reply->offered_jobs[number - 1].job_id;
        return true;
    }
    for (size_t i = 0; i < reply->offered_jobs_count; i++) {
        if (reply->offered_jobs[i].job_id == number) {
            *job_id = number;
            return true;
        }
    }
    return false;
}

enum choice choice_ask(const struct teller *teller, enum action otherwise,
                       const rollcall_loginsocket_v1_LoginReply *reply, int *asks_left, uint64_t *job_id)
{
    struct text prompt;
    bool asked = *asks_left < CHOICE_ASKS_MAX;

    if (teller->silent || reply->offered_jobs_count == 0)
        return CHOICE_IMPOSSIBLE;
    while (*asks_left > 0) {
        enum answer kind;
        uint64_t number = 0;
        char *answer;

        write_prompt(&prompt, otherwise, reply, asked);
        answer = converse(teller->pam, prompt.bytes);
        if (answer == NULL)
            return asked ? CHOICE_DECLINED : CHOICE_IMPOSSIBLE;
        asked = true;
        --*asks_left;
        kind = read_answer(answer, &number);
        /* It may be a password, typed where none was asked for. */
        explicit_bzero(answer, strlen(answer));
        free(answer);
        if (kind == ANSWER_EMPTY)
            return CHOICE_DECLINED;
        if (kind == ANSWER_NUMBER && pick(reply, number, job_id))
            return CHOICE_MADE;
    }
    return CHOICE_DECLINED;
}
