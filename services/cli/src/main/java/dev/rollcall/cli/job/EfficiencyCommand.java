package dev.rollcall.cli.job;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.GetUsageRequest;
import dev.rollcall.proto.v1.GetUsageResponse;
import dev.rollcall.proto.v1.UsageKind;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;

/** Shows which part of a running job's CPUs and memory it used on each node, and advises. */
@Command(
    name = "efficiency",
    description =
        "Show what a running job used of what it was allotted, on this node, or, through a gateway,"
            + " on all nodes.")
public final class EfficiencyCommand extends JobCommand {
  @Override
  public Integer call() {
    var request = GetUsageRequest.newBuilder().setJobId(job.number()).build();
    GetUsageResponse response = asking.jobs(service -> service.getUsage(request));
    Instant now = Instant.now();
    List<Efficiency> nodes =
        response.getRecordsList().stream()
            .filter(record -> record.getKind() == UsageKind.USAGE_KIND_JOB)
            .map(record -> Efficiency.of(record, now))
            .toList();
    if (nodes.isEmpty() && response.getSilentNodesList().isEmpty()) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND,
          Values.because(
              "no job " + job + " is known to the " + asking.target(), response.getRestriction()));
    }
    var table = new Table("NODE", "ELAPSED", "CPUS", "USED", "MEMORY", "PEAK", "USED", "ADVICE");
    nodes.forEach(node -> node.addTo(table));
    printing.print(table, nodes.stream().map(Efficiency::json).toList());
    response.getSilentNodesList().forEach(node -> printing.note(node.getSilence()));
    return (response.getSilentNodesCount() == 0 ? ExitCode.OK : ExitCode.UNAVAILABLE).status();
  }
}
