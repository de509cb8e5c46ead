package dev.rollcall.gateway.api;

import dev.rollcall.gateway.route.NodeReply;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.OutsideProcessesQuestion;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesResponse;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.OutsideProcessesSeen;
import dev.rollcall.wire.Page;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists processes in no job. It asks several nodes at once, because only a node knows its own. */
public record OutsideProcessListing(Roll roll, Router router) {
  /** A node with 10,000 processes looks for half a second. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** At 30,000 bytes each they fit into one message. */
  private static final int MOST_AT_ONCE = 32;

  /** The nodes to ask now, and which gateway holds the stream of each that is connected. */
  private record Plan(Page.Part<NodeName> part, Map<NodeName, Owner.OneNode> connected) {}

  /**
   * @throws BadWordException naming what cannot be
   */
  CompletableFuture<ListOutsideProcessesResponse> list(
      Principal asker, ListOutsideProcessesRequest request) {
    List<String> named = OutsideProcessesSeen.nodes(request);
    Page page = Page.of(request.getPageSize(), request.getPageToken(), MOST_AT_ONCE);
    Duration patience = ServiceReplies.patience(PATIENCE);
    Optional<Integer> wanted = request.hasUid() ? Optional.of(request.getUid()) : Optional.empty();
    return ask(asker, plan(asker, named, page), asker.own().or(() -> wanted), wanted, patience);
  }

  private Plan plan(Principal asker, List<String> named, Page page) {
    Map<NodeName, Owner.OneNode> connected =
        roll.connected().stream()
            .collect(Collectors.toMap(Owner.OneNode::node, Function.identity()));
    Stream<NodeName> wanted =
        named.isEmpty() ? connected.keySet().stream() : named.stream().map(NodeName::new);
    List<NodeName> nodes =
        wanted
            .distinct()
            .filter(asker::maySeeSomeAt)
            .sorted(Comparator.comparing(NodeName::text))
            .toList();
    return new Plan(page.of(nodes, NodeName::text), connected);
  }

  private CompletableFuture<ListOutsideProcessesResponse> ask(
      Principal asker,
      Plan plan,
      Optional<Integer> uid,
      Optional<Integer> wanted,
      Duration patience) {
    List<CompletableFuture<NodeOutsideProcesses>> answers =
        plan.part().items().stream()
            .map(node -> ask(node, plan.connected().get(node), uid, patience))
            .toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ ->
            ListOutsideProcessesResponse.newBuilder()
                .addAllNodes(
                    answers.stream()
                        .map(CompletableFuture::join)
                        .map(told -> seen(asker, wanted, told))
                        .toList())
                .setNextPageToken(plan.part().nextToken())
                .build());
  }

  private CompletableFuture<NodeOutsideProcesses> ask(
      NodeName node, Owner.@Nullable OneNode owner, Optional<Integer> uid, Duration patience) {
    if (owner == null) {
      return CompletableFuture.completedFuture(
          silent(node, "node " + node + " is not connected to a gateway"));
    }
    return router
        .ask(owner, question(uid), patience)
        .thenApply(heard ->
            switch (heard) {
              case NodeReply.Said(NodeAnswer said) ->
                  router
                      .answers()
                      .read(
                          node,
                          () -> live(node, said.getOutsideProcesses().getOutsideProcesses()),
                          why -> silent(node, why));
              case NodeReply.Silent(String reason) -> silent(node, reason);
            });
  }

  private static NodeOutsideProcesses live(NodeName node, NodeOutsideProcesses said) {
    said.getOutsideProcessesList()
        .forEach(each -> {
          var _ = CallerMapper.toModel(each.getProcess(), "outside_processes_answer.process");
        });
    return said.toBuilder().setNode(node.text()).clearSilence().build();
  }

  private static ConnectResponse question(Optional<Integer> uid) {
    var question = OutsideProcessesQuestion.newBuilder();
    uid.ifPresent(question::setUid);
    return ConnectResponse.newBuilder().setOutsideProcessesQuestion(question).build();
  }

  private static NodeOutsideProcesses silent(NodeName node, String why) {
    return NodeOutsideProcesses.newBuilder().setNode(node.text()).setSilence(why).build();
  }

  /** A node may say what it likes: what is not for the asker is left out here. */
  private static NodeOutsideProcesses seen(
      Principal asker, Optional<Integer> wanted, NodeOutsideProcesses told) {
    var node = new NodeName(told.getNode());
    return OutsideProcessesSeen.by(
        uid -> asker.maySeeJob(node, uid),
        wanted
            .map(only ->
                told.toBuilder()
                    .clearOutsideProcesses()
                    .addAllOutsideProcesses(
                        told.getOutsideProcessesList().stream()
                            .filter(each -> each.getUid() == only)
                            .toList())
                    .build())
            .orElse(told));
  }
}
