/* All that an agent could send on a connection: frames, one after the other. A call reads only the first. */
#include "frame.h"
#include "target.h"

static void demand_inside(struct bytes part, const uint8_t *whole, size_t length, const char *what)
{
    demand(part.at == NULL
               || (part.at >= whole && part.length <= length && part.at - whole <= (ptrdiff_t)(length - part.length)),
           what);
}

/* As of EndResponse and, in its field 7, of Job. */
static const struct nested inside[] = {{1, NULL}, {7, NULL}, {0, NULL}};
static const struct nested nested[] = {{1, inside}, {2, inside}, {0, NULL}};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    while (length >= FRAME_HEADER) {
        size_t content = frame_length(bytes);
        struct reply reply;

        demand(content <= UINT32_MAX, "a length has more than 4 bytes");
        if (content > FRAME_REPLY_MAX || content > length - FRAME_HEADER)
            break;
        bytes += FRAME_HEADER;
        length -= FRAME_HEADER;
        if (frame_decode((struct bytes){bytes, content}, nested, &reply)) {
            demand_inside(reply.text, bytes, content, "a text is not inside its frame");
            demand_inside(reply.message, bytes, content, "a message is not inside its frame");
            demand(reply.code != 0 || reply.message.at != NULL, "a success has no message");
            demand(reply.code != 0 || protobuf_is_sound(reply.message, nested), "a broken message succeeded");
        }
        bytes += content;
        length -= content;
    }
    return 0;
}
