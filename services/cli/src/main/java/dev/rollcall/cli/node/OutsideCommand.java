package dev.rollcall.cli.node;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.NodeNames;
import dev.rollcall.cli.ask.Pages;
import dev.rollcall.cli.ask.UserOption;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesResponse;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists processes of users that are in no job. */
@Command(
    name = "outside",
    description = {
      "List processes of users that are in no job, on this node, or, through a gateway, on others.",
      "Each node searches at the time of the query. Exits 5 if one of them did not answer."
    })
public final class OutsideCommand extends AskingCommand {
  /** Names in one request. */
  private static final int MOST_NODES = 1_000;

  @Parameters(
      paramLabel = "NODES",
      arity = "0..1",
      description =
          "This node, or these: node[01-18] (default: the agent's own; with --gateway all that"
              + " are connected).")
  private @Nullable NodeNames only;

  @Mixin private UserOption user = new UserOption();

  @Override
  public Integer call() {
    List<NodeOutsideProcesses> nodes = asking.ask(this::list);
    var words = new OutsideProcessPrinter(users());
    printing.print(words.table(nodes), nodes.stream().map(words::json).toList());
    boolean allAnswered = nodes.stream().allMatch(node -> node.getSilence().isEmpty());
    return (allAnswered ? ExitCode.OK : ExitCode.UNAVAILABLE).status();
  }

  private List<NodeOutsideProcesses> list(Channel channel) {
    var request = ListOutsideProcessesRequest.newBuilder();
    user.uid(users()).ifPresent(request::setUid);
    if (only == null) {
      return pages(channel, request);
    }
    var all = new ArrayList<NodeOutsideProcesses>();
    List<String> names = only.names();
    for (int from = 0; from < names.size(); from += MOST_NODES) {
      request
          .clearNodes()
          .addAllNodes(names.subList(from, Math.min(names.size(), from + MOST_NODES)));
      all.addAll(pages(channel, request));
    }
    return all;
  }

  private static List<NodeOutsideProcesses> pages(
      Channel channel, ListOutsideProcessesRequest.Builder request) {
    var nodes = NodeServiceGrpc.newBlockingStub(channel);
    return Pages.all(
        token -> nodes.listOutsideProcesses(request.setPageToken(token).build()),
        ListOutsideProcessesResponse::getNodesList,
        ListOutsideProcessesResponse::getNextPageToken);
  }
}
