package dev.rollcall.agent.event;

import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.Connection;
import dev.rollcall.port.PinnedProcess;
import java.util.Optional;

/**
 * A request of the PAM module.
 *
 * @param process the kernel's peer; its connection closes it after the answer
 * @param remoteHost PAM_RHOST: what sshd says, for the record alone
 * @param connection as sshd's end sees it, if it could be told
 * @param connectionProblem why it could not be; empty if it could
 * @param offerAnswer to what was offered in reply to the request before
 * @param mover of the session, if a job is decided on
 * @param receivedNanos when the request came, as {@link System#nanoTime} counts
 * @param deadline after which the answer is worthless
 */
public record AdoptionRequested(
    Phase phase,
    PinnedProcess process,
    String service,
    String user,
    int uid,
    String remoteHost,
    Optional<Connection> connection,
    String connectionProblem,
    AdoptOptions options,
    OfferAnswer offerAnswer,
    Mover mover,
    long receivedNanos,
    Deadline deadline) {}
