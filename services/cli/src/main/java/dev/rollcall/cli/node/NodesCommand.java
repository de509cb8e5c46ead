package dev.rollcall.cli.node;

import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.NodeNames;
import dev.rollcall.cli.ask.Pages;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Table;
import dev.rollcall.cli.text.Values;
import dev.rollcall.proto.v1.ListNodesRequest;
import dev.rollcall.proto.v1.ListNodesResponse;
import dev.rollcall.proto.v1.Node;
import dev.rollcall.proto.v1.NodeServiceGrpc;
import io.grpc.Channel;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists the cluster's nodes. */
@Command(name = "nodes", description = "List the nodes of the cluster, through a gateway.")
public final class NodesCommand extends AskingCommand {
  @Parameters(
      paramLabel = "NODES",
      arity = "0..1",
      description = "Only this node, or these: node[01-18] (default: all).")
  private @Nullable NodeNames only;

  @Override
  public Integer call() {
    List<Node> nodes = only == null ? asking.ask(NodesCommand::list) : these(only);
    return printing.print(table(nodes), nodes.stream().map(NodesCommand::json).toList());
  }

  private List<Node> these(NodeNames wanted) {
    List<Node> all = asking.ask(NodesCommand::list);
    wanted.areAmong(all.stream().map(Node::getNode).toList());
    Set<String> names = Set.copyOf(wanted.names());
    return all.stream().filter(node -> names.contains(node.getNode())).toList();
  }

  /** All of them. */
  public static List<Node> list(Channel channel) {
    var nodes = NodeServiceGrpc.newBlockingStub(channel);
    return Pages.all(
        token -> nodes.listNodes(ListNodesRequest.newBuilder().setPageToken(token).build()),
        ListNodesResponse::getNodesList,
        ListNodesResponse::getNextPageToken);
  }

  public static Table table(List<Node> nodes) {
    var table =
        new Table("NODE", "STATE", "JOBS", "CALLS BY", "VERSION", "GATEWAY", "HEARD", "ADDRESSES");
    for (Node node : nodes) {
      table.row(
          node.getNode(),
          state(node),
          node.getJobs(),
          node.getCallSource(),
          node.getVersion(),
          node.getGateway(),
          Values.clock(node.getHeardAt()),
          String.join(" ", addresses(node)));
    }
    return table;
  }

  public static JsonFields json(Node node) {
    return new JsonFields()
        .with("node", node.getNode())
        .with("state", state(node))
        .with("jobs", node.getJobs())
        .with("call_source", node.getCallSource())
        .with("version", node.getVersion())
        .with("gateway", node.getGateway())
        .with("heard_at", Values.time(node.getHeardAt()))
        .with("addresses", addresses(node))
        .with("boot_id", node.getBootId())
        .with("epoch", node.getEpoch());
  }

  private static String state(Node node) {
    return Values.state(node.getState(), "NODE_STATE_");
  }

  private static List<String> addresses(Node node) {
    return List.copyOf(node.getAddressesList());
  }
}
