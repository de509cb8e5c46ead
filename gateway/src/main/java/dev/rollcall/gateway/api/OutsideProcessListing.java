package dev.rollcall.gateway.api;

import dev.rollcall.gateway.route.NodeReply;
import dev.rollcall.gateway.route.Router;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.NodeEntry;
import dev.rollcall.port.Roll.Owner;
import dev.rollcall.proto.roll.v1.ConnectResponse;
import dev.rollcall.proto.roll.v1.NodeAnswer;
import dev.rollcall.proto.roll.v1.OutsideProcessesQuestion;
import dev.rollcall.proto.v1.ListOutsideProcessesRequest;
import dev.rollcall.proto.v1.ListOutsideProcessesResponse;
import dev.rollcall.proto.v1.NodeOutsideProcesses;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.OutsideProcessesSeen;
import dev.rollcall.wire.Page;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Lists processes in no job. It asks several nodes at once, because only a node knows its own. */
public final class OutsideProcessListing {
  /** A node with 10,000 processes looks for half a second. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** At 30,000 bytes each they fit into one message. */
  private static final int MOST_AT_ONCE = 32;

  private final Roll roll;
  private final Workers workers;
  private final Router router;

  public OutsideProcessListing(Roll roll, Workers workers, Router router) {
    this.roll = roll;
    this.workers = workers;
    this.router = router;
  }

  /** The nodes to ask now, and which gateway holds the stream of each that is connected. */
  private record Plan(Page.Part<String> part, Map<String, String> gateways) {}

  /**
   * @throws BadWordException naming what cannot be
   */
  CompletableFuture<ListOutsideProcessesResponse> list(
      Principal asker, ListOutsideProcessesRequest request) {
    List<String> named = OutsideProcessesSeen.nodes(request);
    Page page = Page.of(request.getPageSize(), request.getPageToken(), MOST_AT_ONCE);
    Duration patience = ServiceReplies.patience(PATIENCE);
    Optional<Integer> wanted = request.hasUid() ? Optional.of(request.getUid()) : Optional.empty();
    return workers
        .run(() -> plan(asker, named, page))
        .thenCompose(plan -> ask(asker, plan, asker.own().or(() -> wanted), wanted, patience));
  }

  private Plan plan(Principal asker, List<String> named, Page page) {
    Map<String, String> gateways =
        roll.nodes().stream()
            .filter(node -> !node.lost())
            .collect(
                Collectors.toMap(
                    OutsideProcessListing::name, node -> node.description().gateway()));
    List<String> nodes =
        (named.isEmpty() ? gateways.keySet() : named)
            .stream()
                .distinct()
                .filter(node -> asker.maySeeSomeAt(new NodeName(node)))
                .sorted()
                .toList();
    return new Plan(page.of(nodes, node -> node), gateways);
  }

  private static String name(NodeEntry node) {
    return node.description().epoch().node().text();
  }

  private CompletableFuture<ListOutsideProcessesResponse> ask(
      Principal asker,
      Plan plan,
      Optional<Integer> uid,
      Optional<Integer> wanted,
      Duration patience) {
    List<CompletableFuture<NodeOutsideProcesses>> answers =
        plan.part().items().stream()
            .map(name -> ask(name, plan.gateways(), uid, patience))
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
      String name, Map<String, String> gateways, Optional<Integer> uid, Duration patience) {
    String gateway = gateways.get(name);
    if (gateway == null) {
      return CompletableFuture.completedFuture(
          silent(name, "node " + name + " is not connected to a gateway"));
    }
    return router
        .ask(new Owner.OneNode(new NodeName(name), gateway), question(uid), patience)
        .thenApply(heard ->
            switch (heard) {
              case NodeReply.Said(NodeAnswer said) ->
                  said.getOutsideProcesses().getOutsideProcesses().toBuilder()
                      .setNode(name)
                      .clearSilence()
                      .build();
              case NodeReply.Silent(String reason) -> silent(name, reason);
            });
  }

  private static ConnectResponse question(Optional<Integer> uid) {
    var question = OutsideProcessesQuestion.newBuilder();
    uid.ifPresent(question::setUid);
    return ConnectResponse.newBuilder().setOutsideProcessesQuestion(question).build();
  }

  private static NodeOutsideProcesses silent(String node, String why) {
    return NodeOutsideProcesses.newBuilder().setNode(node).setSilence(why).build();
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
