package dev.rollcall.cli.connect;

import dev.rollcall.cli.ask.JobWord;
import dev.rollcall.cli.ask.TargetOptions;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.DurationText;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.AdoptRequest;
import dev.rollcall.proto.v1.ChooseForCallRequest;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Connects to a host for ssh, from within a job if one is named. */
@Command(
    name = "connect",
    description = {
      "Connect standard input and output to HOST:PORT: a ProxyCommand for ssh.",
      "With --job the connection comes from that job, or on a login node asks for it. HOST then"
          + " puts the session into the job, if it runs there."
    })
public final class ConnectCommand implements Callable<Integer> {
  private static final int MOST_PORTS = 0xffff;

  @Mixin private final TargetOptions asking = new TargetOptions();

  @Option(
      names = "--job",
      paramLabel = "JOB",
      description = "Connect from this job of yours; on a login node, ask for this job.")
  private @Nullable JobId job;

  @Option(
      names = "--find",
      description =
          "HOST is job-JOB, job-latest or job-name-NAME, or one of the first two with -NODE: connect to"
              + " a node of that job, for that job.")
  private boolean find;

  @Option(
      names = "--within",
      paramLabel = "TIME",
      defaultValue = "20s",
      description = "How long to wait for the connection (default: ${DEFAULT-VALUE}).")
  private DurationText within = DurationText.parse("20s");

  @Parameters(index = "0", paramLabel = "HOST", description = "A name or an address.")
  private String host = "";

  @Parameters(index = "1", paramLabel = "PORT", description = "Its port: 1 to 65535.")
  private int port;

  @Override
  public Integer call() {
    if (port < 1 || port > MOST_PORTS) {
      throw CommandFailure.usage("port " + port + " is not within 1 to 65535");
    }
    String to = find ? found() : host;
    if (job != null) {
      enter(job, to);
    }
    Duration patience = within.duration();
    try (SocketChannel connection = Dial.open(to, port, patience);
        var in = new FileInputStream(FileDescriptor.in).getChannel();
        var out = new FileOutputStream(FileDescriptor.out).getChannel()) {
      new StreamRelay(connection).run(in, out);
      return ExitCode.OK.status();
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "the connection to " + to + " broke: " + e.getMessage(), e);
    }
  }

  /** The node of the job that HOST names. The call is for that job. */
  private String found() {
    if (job != null) {
      throw CommandFailure.usage("--find reads the job from HOST: omit --job");
    }
    try {
      JobHost named = JobHost.parse(host);
      JobId its = JobWord.find(asking, named.job());
      job = its;
      return new JobNodes(asking).find(its, named.node()).text();
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e);
    }
  }

  /** The call is the job's, since the kernel notes the caller's cgroup as it connects. */
  private void enter(JobId into, String to) {
    var request = AdoptRequest.newBuilder().setJobId(into.number()).build();
    try {
      var _ = asking.adoptions(service -> service.adopt(request));
    } catch (CommandFailure e) {
      if (e.code() != ExitCode.NOT_FOUND) {
        throw refused(into, to, e.line(), e);
      }
      askFor(into, to, e);
    }
  }

  /** The job is elsewhere: what this process calls from now on asks for it. */
  private void askFor(JobId job, String to, CommandFailure notHere) {
    var request = ChooseForCallRequest.newBuilder().setJobId(job.number()).build();
    try {
      var _ = asking.adoptions(service -> service.chooseForCall(request));
    } catch (CommandFailure e) {
      throw refused(job, to, notHere.line() + ", and " + e.line(), e);
    }
  }

  private CommandFailure refused(JobId job, String to, String why, CommandFailure cause) {
    return new CommandFailure(
        cause.code(),
        "cannot call from job %s: %s. Omit --job, and %s decides; or choose there, by rollcall switch --next %s"
            .formatted(job, why, to, job),
        cause);
  }
}
