package dev.rollcall.cli.ask;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.linux.munge.Munge;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.AdoptionServiceGrpc.AdoptionServiceBlockingStub;
import dev.rollcall.proto.v1.JobServiceGrpc;
import dev.rollcall.proto.v1.JobServiceGrpc.JobServiceBlockingStub;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say whom to ask, and the asking. */
public final class TargetOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description =
          "The agent's socket (default: /run/rollcall/agent.sock, and for root"
              + " /run/rollcall/root.sock).")
  private @Nullable Path socket;

  @Option(
      names = "--gateway",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:ROLLCALL_GATEWAY}",
      description = "Ask this gateway and not the agent (or ROLLCALL_GATEWAY).")
  private @Nullable String gateway;

  @Option(
      names = "--ca",
      paramLabel = "PEM",
      defaultValue = "${env:ROLLCALL_CA}",
      description = "The authority that signed the gateway's certificate (or ROLLCALL_CA).")
  private @Nullable Path ca;

  @Option(
      names = "--certificate",
      paramLabel = "PEM",
      defaultValue = "${env:ROLLCALL_CERTIFICATE}",
      description = "The client certificate (or ROLLCALL_CERTIFICATE).")
  private @Nullable Path certificate;

  @Option(
      names = "--key",
      paramLabel = "PEM",
      defaultValue = "${env:ROLLCALL_KEY}",
      description = "The private key of the client certificate (or ROLLCALL_KEY).")
  private @Nullable Path key;

  @Option(
      names = "--token",
      paramLabel = "FILE",
      defaultValue = "${env:ROLLCALL_TOKEN_FILE}",
      description =
          "Authenticate to the gateway with the token in this file (or ROLLCALL_TOKEN_FILE).")
  private @Nullable Path token;

  @Option(
      names = "--munge",
      description = "Authenticate to the gateway with munge, without a certificate.")
  private boolean munge;

  @Option(
      names = "--munge-socket",
      paramLabel = "PATH",
      defaultValue = "/run/munge/munge.socket.2",
      description = "The socket of munged (default: ${DEFAULT-VALUE}).")
  private Path mungeSocket = Munge.DEFAULT_SOCKET;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long to wait for an answer (default: ${DEFAULT-VALUE}).")
  private int timeout = 10;

  /** Asks within the timeout and answers what was heard, or fails by the status that came. */
  public <T> T ask(Function<Channel, T> question) {
    return ask(Duration.ZERO, question);
  }

  /**
   * @param longer what the question itself takes, beyond the timeout
   */
  public <T> T ask(Duration longer, Function<Channel, T> question) {
    if (timeout < 1) {
      throw CommandFailure.usage("--timeout " + timeout + " is not at least 1 second");
    }
    Target target = target();
    try (OpenLine line = OpenLine.to(target)) {
      return question.apply(new Patient(line.channel(), longer.plusSeconds(timeout)));
    } catch (StatusRuntimeException e) {
      throw StatusFailure.of(e, target);
    }
  }

  /** Asks for what goes on until the command is interrupted. */
  public <T> T follow(Function<Channel, T> question) {
    return ask(Duration.ofDays(365), question);
  }

  /** Asks the service of jobs. */
  public <T> T jobs(Function<JobServiceBlockingStub, T> question) {
    return jobs(Duration.ZERO, question);
  }

  /**
   * @param longer as for {@link #ask(Duration, Function)}
   */
  public <T> T jobs(Duration longer, Function<JobServiceBlockingStub, T> question) {
    return ask(longer, channel -> question.apply(JobServiceGrpc.newBlockingStub(channel)));
  }

  /** Asks the service of decisions about sessions. */
  public <T> T adoptions(Function<AdoptionServiceBlockingStub, T> question) {
    return ask(channel -> question.apply(AdoptionServiceGrpc.newBlockingStub(channel)));
  }

  public Target target() {
    @Nullable String to = set("--gateway", gateway);
    if (to == null) {
      if (munge) {
        throw CommandFailure.usage("--munge needs --gateway");
      }
      return socket == null ? Target.Agent.ofThisUser() : new Target.Agent(socket);
    }
    try {
      return Target.Gateway.parse(to, credentials());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, "--gateway " + e.getMessage(), e);
    }
  }

  /** A variable that is empty counts as not set. */
  private <T> @Nullable T set(String option, @Nullable T value) {
    return value != null && value.toString().isEmpty() && !isGiven(option) ? null : value;
  }

  /** Whether the value of an option is not a variable's. */
  private boolean isGiven(String option) {
    return command.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Variables count only if no option asks for another kind of credentials. */
  private Optional<Target.Credentials> credentials() {
    boolean certified = isGiven("--certificate") || isGiven("--key");
    boolean byToken = isGiven("--token");
    return credentials(
        set("--ca", ca),
        (munge || byToken) && !certified ? null : set("--certificate", certificate),
        (munge || byToken) && !certified ? null : set("--key", key),
        (munge || certified) && !byToken ? null : set("--token", token));
  }

  private Optional<Target.Credentials> credentials(
      @Nullable Path authority,
      @Nullable Path own,
      @Nullable Path ownKey,
      @Nullable Path tokenFile) {
    if (munge) {
      if (authority == null || own != null || ownKey != null || tokenFile != null) {
        throw CommandFailure.usage(
            "--munge needs --ca, and neither --token, --certificate nor --key");
      }
      return Optional.of(new Target.Credentials.Munged(authority, mungeSocket));
    }
    if (tokenFile != null) {
      if (authority == null || own != null || ownKey != null) {
        throw CommandFailure.usage("--token needs --ca, and neither --certificate nor --key");
      }
      return Optional.of(new Target.Credentials.Token(authority, tokenFile));
    }
    if (authority != null && own != null && ownKey != null) {
      return Optional.of(new Target.Credentials.Certified(authority, own, ownKey));
    }
    if (authority == null && own == null && ownKey == null) {
      return Optional.empty();
    }
    throw CommandFailure.usage("--ca, --certificate and --key must be given together");
  }

  /** Gives every call a deadline. */
  private static final class Patient extends Channel {
    private final Channel channel;
    private final Duration patience;

    Patient(Channel channel, Duration patience) {
      this.channel = channel;
      this.patience = patience;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      return channel.newCall(
          method, options.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public String authority() {
      return channel.authority();
    }
  }
}
