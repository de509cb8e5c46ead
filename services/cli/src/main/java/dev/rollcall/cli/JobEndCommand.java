package dev.rollcall.cli;

import com.google.protobuf.Duration;
import dev.rollcall.model.JobId;
import dev.rollcall.proto.v1.EndRequest;
import dev.rollcall.proto.v1.EndResponse;
import dev.rollcall.proto.v1.JobServiceGrpc;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends a job on this node. */
@Command(
    name = "end",
    description =
        "End a job on this node: kill its processes, remove its cgroups. For epilogs, as root.")
final class JobEndCommand implements Callable<Integer> {
  private static final int LONGEST_WAIT = 3600;

  @Mixin private final Asking asking;
  @Mixin private final Printing printing = new Printing();

  @Parameters(paramLabel = "JOB", description = "The job's number.")
  private JobId job = new JobId(1);

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long to wait for the node to be clean (default: ${DEFAULT-VALUE}).")
  private int wait = 30;

  JobEndCommand(Outside outside) {
    asking = new Asking(outside.exchange());
  }

  @Override
  public Integer call() {
    if (wait < 0 || wait > LONGEST_WAIT) {
      throw new CommandFailure(
          ExitCode.USAGE, "--wait " + wait + " is not within 0 to " + LONGEST_WAIT);
    }
    EndRequest request =
        EndRequest.newBuilder()
            .setJobId(job.number())
            .setWait(Duration.newBuilder().setSeconds(wait))
            .build();
    EndResponse ended =
        asking.ask(
            java.time.Duration.ofSeconds(wait),
            channel -> JobServiceGrpc.newBlockingStub(channel).end(request));
    printing.print(ended.getClean() ? clean(ended) : unclean(ended), json(ended));
    return (ended.getClean() ? ExitCode.OK : ExitCode.FAILED).status();
  }

  private String clean(EndResponse ended) {
    return "job " + job + " has ended, processes killed: " + ended.getKilled();
  }

  private String unclean(EndResponse ended) {
    return "job "
        + job
        + " is still ending after "
        + wait
        + " s, processes left: "
        + ended.getRemainingList().stream()
            .map(left ->
                left.getProcess().getPid()
                    + " ("
                    + left.getCommand().replaceAll("\\p{Cntrl}", "?")
                    + ")")
            .collect(Collectors.joining(", "));
  }

  private Map<String, Object> json(EndResponse ended) {
    var json = new LinkedHashMap<String, Object>();
    json.put("job", job.number());
    json.put("clean", ended.getClean());
    json.put("killed", ended.getKilled());
    json.put("remaining", ended.getRemainingList().stream().map(ProcessWords::json).toList());
    return json;
  }
}
