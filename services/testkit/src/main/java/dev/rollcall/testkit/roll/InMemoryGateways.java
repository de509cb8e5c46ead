package dev.rollcall.testkit.roll;

import dev.rollcall.port.GatewayMail;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gateways of one test, which reach each other in memory; each has one thread for its mail. */
public final class InMemoryGateways implements AutoCloseable {
  private final Map<String, Mail> up = new ConcurrentHashMap<>();

  /** A gateway comes up. */
  public GatewayMail start(String gateway) {
    var mail = new Mail(gateway);
    if (up.putIfAbsent(gateway, mail) != null) {
      throw new IllegalArgumentException("gateway " + gateway + " is up already");
    }
    return mail;
  }

  /** A gateway goes. */
  public void kill(String gateway) {
    Mail gone = up.remove(gateway);
    if (gone != null) {
      gone.threads.shutdownNow();
    }
  }

  /** Tells every gateway that a split has healed. */
  public void merge() {
    listeners().forEach(it -> it.nodesConnectAgain("the cluster of gateways was merged"));
  }

  @Override
  public void close() {
    Set.copyOf(up.keySet()).forEach(this::kill);
  }

  private List<GatewayMail.Listener> listeners() {
    return up.values().stream().flatMap(m -> Stream.ofNullable(m.listener)).toList();
  }

  private final class Mail implements GatewayMail {
    private final String self;
    private final ExecutorService threads =
        Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    private volatile @Nullable Listener listener;

    Mail(String self) {
      this.self = self;
    }

    @Override
    public String self() {
      return self;
    }

    @Override
    public Set<String> gateways() {
      return Set.copyOf(up.keySet());
    }

    @Override
    public CompletionStage<Delivery> send(String to, byte[] message, Duration deadline) {
      Mail there = up.get(to);
      if (there == null) {
        return CompletableFuture.completedFuture(undelivered(to, "not up"));
      }
      return CompletableFuture.supplyAsync(() -> there.take(self, message), there.threads)
          .completeOnTimeout(
              undelivered(to, "no answer within " + deadline.toMillis() + " ms"),
              deadline.toNanos(),
              TimeUnit.NANOSECONDS)
          .minimalCompletionStage();
    }

    @Override
    public void listen(Listener to) {
      listener = to;
    }

    @Override
    public void close() {
      listener = null;
    }

    private Delivery take(String from, byte[] message) {
      Listener to = listener;
      if (to == null) {
        return undelivered(self, "starting or closed");
      }
      try {
        to.received(from, message);
        return new Delivery.Delivered();
      } catch (RuntimeException e) {
        return undelivered(self, "its listener failed: " + e);
      }
    }

    private static Delivery undelivered(String to, String reason) {
      return new Delivery.Undelivered("gateway " + to + ": " + reason);
    }
  }
}
