package dev.rollcall.roll;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.ExecutionCallback;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import dev.rollcall.port.GatewayMail;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Mail as tasks for the member that a gateway is: a task is answered, so a message that did not
 * arrive is known not to have, which a topic's is not.
 */
final class HazelcastMail implements GatewayMail {
  static final String EXECUTOR = "mail";

  private final HazelcastInstance member;
  private final IExecutorService executor;
  private final String self;
  private final Map<String, Outbox> outboxes = new ConcurrentHashMap<>();
  private volatile @Nullable Listener listener;
  private volatile boolean closed;

  HazelcastMail(HazelcastInstance member, String self) {
    this.member = member;
    this.executor = member.getExecutorService(EXECUTOR);
    this.self = self;
    member.getUserContext().put(EXECUTOR, this);
  }

  /** The id of the gateway that a member is; empty for a member that is none. */
  static String gatewayOf(Member member) {
    String id = member.getAttribute(MemberConfig.GATEWAY_ATTRIBUTE);
    return id == null ? "" : id;
  }

  @Override
  public String self() {
    return self;
  }

  @Override
  public Set<String> gateways() {
    return member.getCluster().getMembers().stream()
        .map(HazelcastMail::gatewayOf)
        .filter(id -> !id.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public CompletionStage<Delivery> send(String toGateway, byte[] message, Duration deadline) {
    if (closed || find(toGateway).isEmpty()) {
      String reason = closed ? "the mail is closed" : "not up";
      return CompletableFuture.completedFuture(
          new Delivery.Undelivered("gateway " + toGateway + ": " + reason));
    }
    return outboxes
        .computeIfAbsent(toGateway, to -> new Outbox(to, batch -> carry(to, batch)))
        .add(message, deadline)
        .minimalCompletionStage();
  }

  @Override
  public void listen(Listener to) {
    listener = to;
  }

  @Override
  public void close() {
    closed = true;
    listener = null;
    outboxes.values().forEach(outbox -> outbox.fail("the mail is closed"));
  }

  /** Empty when the listener took it, else why not. */
  String received(String from, byte[] message) {
    Listener to = listener;
    if (to == null) {
      return "starting or closed";
    }
    try {
      to.received(from, message);
      return "";
    } catch (RuntimeException e) {
      return "its listener failed: " + e;
    }
  }

  void left(String gateway) {
    Outbox outbox = outboxes.remove(gateway);
    if (outbox != null) {
      outbox.fail("it left");
    }
  }

  void nodesConnectAgain(String because) {
    Listener to = listener;
    if (to != null) {
      to.nodesConnectAgain(because);
    }
  }

  private Optional<Member> find(String gateway) {
    return member.getCluster().getMembers().stream()
        .filter(m -> gatewayOf(m).equals(gateway))
        .findFirst();
  }

  private CompletableFuture<String[]> carry(String to, List<byte[]> batch) {
    var answered = new CompletableFuture<String[]>();
    Optional<Member> there = find(to);
    if (there.isEmpty()) {
      answered.completeExceptionally(new IllegalStateException("not up"));
      return answered;
    }
    try {
      executor.submitToMember(new GatewayMessages(self, batch), there.get(), new Answer(answered));
    } catch (RuntimeException e) {
      answered.completeExceptionally(e);
    }
    return answered;
  }

  private record Answer(CompletableFuture<String[]> answered)
      implements ExecutionCallback<String[]> {
    @Override
    public void onResponse(String[] texts) {
      answered.complete(texts);
    }

    @Override
    public void onFailure(Throwable failure) {
      answered.completeExceptionally(failure);
    }
  }
}
