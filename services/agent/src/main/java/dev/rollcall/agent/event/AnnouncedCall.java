package dev.rollcall.agent.event;

import dev.rollcall.model.Call;

/**
 * A call that another node pushed to this one.
 *
 * @param sequence counts, without gaps, what this epoch of the source announced to the far address
 * @param epoch of the source
 */
public record AnnouncedCall(Call call, long sequence, long epoch) {}
