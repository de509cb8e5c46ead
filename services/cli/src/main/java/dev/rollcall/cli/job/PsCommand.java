package dev.rollcall.cli.job;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.ListProcessesRequest;
import dev.rollcall.proto.v1.ListProcessesResponse;
import dev.rollcall.proto.v1.ListedProcess;
import dev.rollcall.proto.v1.NodeProcesses;
import java.util.List;
import picocli.CommandLine.Command;

/** Lists a job's processes on every node, and says how fresh each node's answer is. */
@Command(
    name = "ps",
    description = "List a job's processes on this node, or, through a gateway, on all nodes.")
public final class PsCommand extends JobCommand {
  @Override
  public Integer call() {
    var request = ListProcessesRequest.newBuilder().setJobId(job.number()).build();
    ListProcessesResponse response = asking.jobs(service -> service.listProcesses(request));
    List<NodeProcesses> nodes = response.getNodesList();
    if (nodes.isEmpty()) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND,
          Values.because(
              "no job " + job + " is known to the " + asking.target(), response.getRestriction()));
    }
    return printing.print(table(nodes), json(nodes));
  }

  private static Table table(List<NodeProcesses> nodes) {
    var table = new Table("NODE", "PID", "STEP", "COMMAND", "ANSWER");
    for (NodeProcesses node : nodes) {
      if (node.getProcessesList().isEmpty()) {
        table.row(node.getNode(), "", "", "", answer(node));
      }
      for (ListedProcess process : node.getProcessesList()) {
        int pid = process.getProcess().getPid();
        table.row(node.getNode(), pid, process.getStep(), process.getCommand(), answer(node));
      }
    }
    return table;
  }

  private static String answer(NodeProcesses node) {
    return (node.getLive() ? "live" : "roll") + " " + Values.clock(node.getObservedAt());
  }

  private JsonFields json(List<NodeProcesses> nodes) {
    return new JsonFields()
        .with("job", job.number())
        .with("nodes", nodes.stream().map(PsCommand::json).toList());
  }

  private static JsonFields json(NodeProcesses node) {
    return new JsonFields()
        .with("node", node.getNode())
        .with("live", node.getLive())
        .with("observed_at", Values.time(node.getObservedAt()))
        .with("processes", node.getProcessesList().stream().map(JobPrinter::json).toList());
  }
}
