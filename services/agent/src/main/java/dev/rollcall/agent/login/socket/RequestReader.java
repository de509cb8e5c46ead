package dev.rollcall.agent.login.socket;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Deadline;
import dev.rollcall.agent.event.Mover;
import dev.rollcall.agent.event.OfferAnswer;
import dev.rollcall.agent.event.PamOptionsMapper;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.proto.loginsocket.v1.LoginRequest;
import dev.rollcall.proto.loginsocket.v1.Options;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads requests. What does not make sense is refused by name.
 *
 * @param node whose agent this is
 */
record RequestReader(NodeName node) {
  /** The module's own default. */
  private static final int DEFAULT_PATIENCE_MS = 1_250;

  private static final int LONGEST_PATIENCE_MS = 60_000;
  private static final int VERSION = 1;

  /** What setuid(2) and its kin refuse and take for "none": no process and no job has it. */
  static final int UID_OF_NOBODY = -1;

  /** A request that is not one. */
  static final class BadRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    BadRequestException(String problem) {
      super(problem);
    }
  }

  AdoptionRequested read(Buffer message, PinnedProcess process, long receivedNanos)
      throws BadRequestException {
    LoginRequest request;
    try {
      request = LoginRequest.parseFrom(message.getBytes());
    } catch (InvalidProtocolBufferException e) {
      throw new BadRequestException("no message: " + e.getMessage());
    }
    if (request.getVersion() != VERSION) {
      throw new BadRequestException(
          "version " + Integer.toUnsignedString(request.getVersion()) + " is not " + VERSION);
    }
    checkNode(request.getNodeName());
    Optional<Connection> connection = connection(request);
    AdoptOptions options = options(request.getOptions());
    Phase phase = phase(request);
    if (phase == Phase.WARM_UP && request.getUid() != UID_OF_NOBODY) {
      throw new BadRequestException(
          "a warm-up must have no user, but has uid " + Integer.toUnsignedString(request.getUid()));
    }
    return new AdoptionRequested(
        phase,
        process,
        request.getService(),
        request.getUser(),
        request.getUid(),
        request.getRemoteHost(),
        connection,
        connection.isPresent() ? "" : request.getConnectionProblem(),
        options,
        offerAnswer(request),
        mover(request),
        receivedNanos,
        new Deadline(receivedNanos + patience(request).toNanos()));
  }

  private void checkNode(String named) throws BadRequestException {
    if (!named.isEmpty() && !named.equalsIgnoreCase(node.text())) {
      throw new BadRequestException(
          "nodename=" + named + " in the PAM line, and this is the agent of node " + node);
    }
  }

  private static Phase phase(LoginRequest request) throws BadRequestException {
    return switch (request.getPhase()) {
      case PHASE_ACCOUNT -> Phase.ACCOUNT;
      case PHASE_OPEN_SESSION -> Phase.OPEN_SESSION;
      case PHASE_CLOSE_SESSION -> Phase.CLOSE_SESSION;
      case PHASE_WARM_UP -> Phase.WARM_UP;
      case PHASE_UNSPECIFIED, UNRECOGNIZED ->
          throw new BadRequestException("phase " + request.getPhaseValue() + " is none");
    };
  }

  private static Duration patience(LoginRequest request) {
    int asked = request.getPatienceMs();
    return Duration.ofMillis(
        asked == 0
            ? DEFAULT_PATIENCE_MS
            : Integer.compareUnsigned(asked, LONGEST_PATIENCE_MS) > 0
                ? LONGEST_PATIENCE_MS
                : asked);
  }

  private static Optional<Connection> connection(LoginRequest request) throws BadRequestException {
    if (request.getLocalAddress().isEmpty() && request.getRemoteAddress().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          Connection.tcp(
              endpoint(request.getLocalAddress(), request.getLocalPort()),
              endpoint(request.getRemoteAddress(), request.getRemotePort())));
    } catch (IllegalArgumentException e) {
      throw new BadRequestException("the connection is invalid: " + e.getMessage());
    }
  }

  private static Endpoint endpoint(ByteString address, int port) {
    return Endpoint.of(address.toByteArray(), port);
  }

  private static OfferAnswer offerAnswer(LoginRequest request) throws BadRequestException {
    return switch (request.getChoiceCase()) {
      case CHOICE_NOT_SET -> new OfferAnswer.NotOffered();
      case NONE_CHOSEN -> new OfferAnswer.Declined();
      case CHOSEN_JOB_ID -> {
        try {
          yield new OfferAnswer.Chosen(new JobId(request.getChosenJobId()));
        } catch (IllegalArgumentException e) {
          throw new BadRequestException("the chosen job is invalid: " + e.getMessage());
        }
      }
    };
  }

  /** An unknown or absent value means that the agent moves the session. */
  private static Mover mover(LoginRequest request) {
    return switch (request.getMover()) {
      case MOVER_MODULE -> Mover.MODULE;
      case MOVER_AGENT_INSTEAD -> Mover.AGENT_INSTEAD;
      case MOVER_UNSPECIFIED, UNRECOGNIZED -> Mover.AGENT;
    };
  }

  private static AdoptOptions options(Options options) throws BadRequestException {
    try {
      return PamOptionsMapper.read(options);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }
}
