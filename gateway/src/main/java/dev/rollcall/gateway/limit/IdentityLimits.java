package dev.rollcall.gateway.limit;

import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.Refusal.Reason;
import dev.rollcall.wire.pace.Bucket;
import dev.rollcall.wire.pace.Rate;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts each identity's recent and open calls. */
public final class IdentityLimits {
  private static final int USERS_AT_ONCE = 32;
  private static final int OTHERS_AT_ONCE = 512;
  private static final int BYTES_OF_A_QUESTION = 4_096;

  /** By then an empty bucket has as many tokens as its rate, and calls have ended; or later. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** One identity, while it has asked lately. */
  private record Account(
      String name, String kind, int rate, int most, Bucket bucket, AtomicInteger underWay) {
    Account(String name, String kind, int rate, int most) {
      this(
          name,
          kind,
          rate,
          most,
          new Bucket(new Rate(rate, rate), System.nanoTime()),
          new AtomicInteger());
    }
  }

  private static final List<String> KINDS = List.of("user", "node", "service");

  private final Rates rates;
  private final MeterRegistry registry;
  private final Map<String, Account> accounts = new ConcurrentHashMap<>();
  private final AtomicInteger underWay = new AtomicInteger();

  public IdentityLimits(Rates rates, MeterRegistry registry) {
    this.rates = rates;
    this.registry = registry;
    registry.gauge("rollcall.gateway.calls.under.way", underWay);
    KINDS.forEach(this::limited);
  }

  /** Calls of all who call, connected nodes among them. */
  public int underWay() {
    return underWay.get();
  }

  /** One call of one identity. */
  public final class Allowance {
    /** Of the identity, and of the user whom it names. */
    private final List<Account> accounts = new ArrayList<>(2);

    private boolean ended;

    /**
     * One more question of the call.
     *
     * @throws StatusRuntimeException RESOURCE_EXHAUSTED if that is one too many
     */
    public void question() {
      accounts.forEach(this::question);
    }

    /** A request's bytes; beyond the first 4 KiB they cost as questions do, of the next ones. */
    public void read(long bytes) {
      long more = Math.max(0, bytes - 1) / BYTES_OF_A_QUESTION;
      accounts.forEach(account -> account.bucket.charge((double) more, System.nanoTime()));
    }

    private void question(Account account) {
      long now = System.nanoTime();
      if (!account.bucket.take(now)) {
        var paid = Duration.ofNanos(account.bucket.untilOne(now));
        throw refused(
            Reason.RATE_EXCEEDED,
            account,
            "asks more than " + account.rate + " times a second",
            account.rate,
            paid.compareTo(AGAIN) > 0 ? paid : AGAIN);
      }
    }

    private void begin(Account account) {
      accounts.add(account);
      if (account.underWay.incrementAndGet() > account.most) {
        throw refused(
            Reason.CALLS_EXCEEDED,
            account,
            "has more than " + account.most + " calls in progress",
            account.most,
            AGAIN);
      }
      question(account);
    }

    /** The call is over; the second time nothing happens. */
    public synchronized void end() {
      if (!ended) {
        ended = true;
        underWay.decrementAndGet();
        accounts.forEach(account -> account.underWay.decrementAndGet());
      }
    }
  }

  /**
   * Begins a call.
   *
   * @param named the user whom a node names, if it does
   * @throws StatusRuntimeException RESOURCE_EXHAUSTED, naming the identity and the limit
   */
  public Allowance begin(Identity identity, Optional<String> named) {
    Account own = account(identity);
    var allowance = new Allowance();
    underWay.incrementAndGet();
    try {
      allowance.begin(own);
      // After the identity's own limits: what it sends must not fill the map.
      user(identity, named)
          .ifPresent(uid -> allowance.begin(user("uid " + uid + " at " + own.name)));
    } catch (StatusRuntimeException e) {
      allowance.end();
      throw e;
    }
    return allowance;
  }

  /** Any other name, and one from a client that may not name a user, is refused afterwards. */
  private static Optional<String> user(Identity identity, Optional<String> named) {
    return switch (identity) {
      case Identity.Node _, Identity.Embedded _ ->
          named.flatMap(IdentityLimits::uid).filter(uid -> uid != 0).map(Integer::toUnsignedString);
      case Identity.Person _,
          Identity.Service _,
          Identity.Administrator _,
          Identity.Gateway _,
          Identity.Stranger _ ->
          Optional.empty();
    };
  }

  private static Optional<Integer> uid(String text) {
    try {
      return Optional.of(Integer.parseUnsignedInt(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private Account account(Identity identity) {
    return switch (identity) {
      case Identity.Person person -> user(person.toString());
      case Identity.Node node -> of(node.toString(), "node", rates.node());
      case Identity.Embedded _ -> of("loopback", "service", rates.service());
      case Identity.Service _, Identity.Administrator _, Identity.Gateway _, Identity.Stranger _ ->
          of(identity.toString(), "service", rates.service());
    };
  }

  private Account user(String name) {
    return accounts.computeIfAbsent(
        name, _ -> new Account(name, "user", rates.user(), USERS_AT_ONCE));
  }

  private Account of(String name, String kind, int rate) {
    return accounts.computeIfAbsent(name, _ -> new Account(name, kind, rate, OTHERS_AT_ONCE));
  }

  private Counter limited(String kind) {
    return registry.counter("rollcall.gateway.limited", "kind", kind);
  }

  private StatusRuntimeException refused(
      Reason reason, Account account, String what, int limit, Duration again) {
    limited(account.kind).increment();
    return Refusal.of(reason, account.name + " " + what)
        .with("identity", account.name)
        .with("limit", Integer.toString(limit))
        .again(again)
        .exception();
  }

  /** Removes idle clients. Called every second. */
  public void tick() {
    long now = System.nanoTime();
    accounts
        .values()
        .removeIf(account -> account.underWay.get() == 0 && account.bucket.isFull(now));
  }

  /** How many have not rested. */
  public int size() {
    return accounts.size();
  }
}
