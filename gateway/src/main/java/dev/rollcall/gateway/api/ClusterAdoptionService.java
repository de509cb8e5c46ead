package dev.rollcall.gateway.api;

import dev.rollcall.gateway.route.AdoptionsKnown;
import dev.rollcall.gateway.work.Workers;
import dev.rollcall.model.NodeName;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.AdoptionServiceGrpc;
import dev.rollcall.proto.v1.ExplainRequest;
import dev.rollcall.proto.v1.ExplainResponse;
import dev.rollcall.proto.v1.ListAdoptionsRequest;
import dev.rollcall.proto.v1.ListAdoptionsResponse;
import dev.rollcall.proto.v1.PredictRequest;
import dev.rollcall.proto.v1.PredictResponse;
import dev.rollcall.proto.v1.WatchAdoptionsRequest;
import dev.rollcall.proto.v1.WatchAdoptionsResponse;
import dev.rollcall.wire.AdoptionsListed;
import dev.rollcall.wire.BadWordException;
import dev.rollcall.wire.CallerMapper;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.memory.MemoryBudget;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Serves the reading calls of AdoptionService for the whole cluster. Sessions are moved at their
 * nodes.
 */
public final class ClusterAdoptionService extends AdoptionServiceGrpc.AdoptionServiceImplBase {
  private static final int WATCHED_WAITING = 10_000;

  private final AdoptionsKnown known;
  private final Workers workers;
  private final Predictions predictions;
  private final MemoryBudget memory;

  public ClusterAdoptionService(
      AdoptionsKnown known, Workers workers, Predictions predictions, MemoryBudget memory) {
    this.memory = memory;
    this.known = known;
    this.workers = workers;
    this.predictions = predictions;
  }

  @Override
  public void predict(PredictRequest request, StreamObserver<PredictResponse> responses) {
    ServiceReplies.once(
        responses,
        asker -> {
          if (request.getNode().isEmpty()) {
            throw new BadWordException("node", "is missing: a gateway has no logins itself");
          }
          NodeName node = CallerMapper.node(request.getNode(), "node");
          if (!asker.maySeeAdoption(node, request.getUid())) {
            throw Refusal.plain(
                Status.PERMISSION_DENIED,
                "you may not ask about uid "
                    + Integer.toUnsignedString(request.getUid())
                    + " on node "
                    + node);
          }
          return predictions.of(node, request.getUid());
        });
  }

  @Override
  public void explain(ExplainRequest request, StreamObserver<ExplainResponse> responses) {
    ServiceReplies.once(
        responses,
        asker ->
            CompletableFuture.completedFuture(
                ExplainResponse.newBuilder().setAdoption(find(asker, request)).build()));
  }

  private Adoption find(Principal asker, ExplainRequest request) {
    String id = request.getAdoptionId();
    List<Adoption> found =
        seenBy(asker)
            .filter(adoption -> id.isEmpty() || id.equals(adoption.getAdoptionId()))
            .filter(adoption -> isAt(adoption, request.getNode()))
            .toList();
    List<String> nodes = found.stream().map(Adoption::getNode).distinct().sorted().toList();
    if (!id.isEmpty() && nodes.size() > 1) {
      throw new BadWordException(
          "node", "is needed: '" + id + "' is an adoption of " + String.join(" and of ", nodes));
    }
    return found.stream()
        .findFirst()
        .orElseThrow(() ->
            Refusal.of(
                    Reason.ADOPTION_UNKNOWN,
                    id.isEmpty()
                        ? "no session of yours is remembered here"
                        : "no adoption '" + id + "' of yours is remembered here")
                .exception());
  }

  private Stream<Adoption> seenBy(Principal asker) {
    return known.newestFirst().filter(adoption -> maySee(asker, adoption));
  }

  private static boolean maySee(Principal asker, Adoption adoption) {
    // Most are of other users: their nodes' names are not checked again.
    return asker.own().filter(uid -> uid != adoption.getUid()).isEmpty()
        && asker.maySeeAdoption(new NodeName(adoption.getNode()), adoption.getUid());
  }

  private static boolean isAt(Adoption adoption, String node) {
    return node.isEmpty() || node.equals(adoption.getNode());
  }

  @Override
  public void listAdoptions(
      ListAdoptionsRequest request, StreamObserver<ListAdoptionsResponse> responses) {
    ServiceReplies.once(
        responses,
        asker -> {
          var wanted = AdoptionsListed.by(request);
          return workers.run(() -> wanted.of(seenBy(asker)));
        });
  }

  @Override
  public void watchAdoptions(
      WatchAdoptionsRequest request, StreamObserver<WatchAdoptionsResponse> responses) {
    Principal asker = AuthorizationInterceptor.current();
    ServiceReplies.stream(
        responses,
        WATCHED_WAITING,
        memory,
        out ->
            known.watch(
                AdoptionsListed.recent(request),
                adoption ->
                    (!request.hasUid() || request.getUid() == adoption.getUid())
                        && maySee(asker, adoption),
                adoption ->
                    out.send(WatchAdoptionsResponse.newBuilder().setAdoption(adoption).build())));
  }
}
