package dev.rollcall.testkit.roll;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.port.Roll;
import dev.rollcall.port.Roll.Registration;
import dev.rollcall.port.Roll.Standing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Plays random calls of one node, whose streams break at any time with announcements under way. At
 * each step a roll answers with the node's last call of a port, or not at all, unless the
 * announcement of that call is still under way on the stream that is open.
 */
final class LostAnnouncements {
  private static final int PORTS = 4;

  /** One stream: what was sent on it, and has not arrived. */
  private record Stream(Roll at, Registration registration, Deque<Call> underWay) {}

  private final RandomGenerator random;
  private final List<Roll> rolls;
  private final Runnable settle;
  private final Map<Integer, Call> truth = new HashMap<>();
  private final List<Stream> broken = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private Optional<Stream> open = Optional.empty();
  private long calls;

  /**
   * @param settle returns when both rolls know of the same connections
   */
  LostAnnouncements(long seed, Roll here, Roll there, Runnable settle) {
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    this.rolls = List.of(here, there);
    this.settle = settle;
    steps.add("seed " + seed);
  }

  void play(int count) {
    for (int i = 0; i < count; i++) {
      step();
      settle.run();
      for (int port = 0; port < PORTS; port++) {
        for (Roll roll : rolls) {
          check(port, roll);
        }
      }
    }
  }

  private void step() {
    switch (random.nextInt(9)) {
      case 0, 1, 2 -> call(random.nextInt(PORTS));
      case 3, 4 -> open.ifPresent(this::arrives);
      case 5 -> open.ifPresent(this::breaks);
      case 6 -> connects(rolls.get(random.nextInt(rolls.size())));
      case 7 -> late();
      default -> open.ifPresent(this::loses);
    }
  }

  /** Without a stream nobody hears of it. */
  private void call(int port) {
    Call made = RollContract.call("n1", ++calls, port + 1);
    steps.add("port " + port + " by job " + calls);
    truth.put(port, made);
    open.ifPresent(stream -> stream.underWay.add(made));
  }

  private void arrives(Stream stream) {
    Call first = stream.underWay.poll();
    if (first != null) {
      steps.add("an announcement arrives");
      stream.at.enterCalls(stream.registration, List.of(first), RollContract.KEEP);
    }
  }

  /** Its gateway has not noticed yet; see {@link #late}. */
  private void breaks(Stream stream) {
    if (random.nextBoolean()) {
      steps.add("the stream breaks, and its gateway notices");
      stream.at.disconnected(stream.registration, RollContract.LEASE);
    } else {
      steps.add("the node opens another stream, and the old gateway does not notice");
      connects(rolls.get(random.nextInt(rolls.size())));
      return;
    }
    broken.add(stream);
    open = Optional.empty();
  }

  private void connects(Roll at) {
    steps.add("the node connects");
    open.ifPresent(broken::add);
    var said = RollContract.said("n1", "boot", 1 + random.nextInt(2), "10.0.0.1");
    if (at.connect(said, RollContract.LEASE) instanceof Standing.Connected(Registration now)) {
      open = Optional.of(new Stream(at, now, new ArrayDeque<>()));
    }
  }

  /** A gateway that stood still does what it should have done on a stream that is over. */
  private void late() {
    if (broken.isEmpty()) {
      return;
    }
    Stream stream = broken.get(random.nextInt(broken.size()));
    steps.add("a gateway that stood still continues");
    switch (random.nextInt(3)) {
      case 0 -> arrives(stream);
      case 1 -> stream.at.disconnected(stream.registration, RollContract.LEASE);
      default -> stream.at.complete(stream.registration);
    }
  }

  /** As when the kernel's ring is full: what was under way is lost, and the node says so. */
  private void loses(Stream stream) {
    steps.add("announcements are lost");
    stream.underWay.clear();
    stream.at.strikeCalls(stream.registration);
  }

  private void check(int port, Roll roll) {
    Optional<Caller> answer =
        RollContract.caller(roll, RollContract.connection(port + 1), RollContract.KEEP);
    Optional<Caller> right = Optional.ofNullable(truth.get(port)).map(Call::caller);
    boolean underWay =
        open.stream()
            .flatMap(stream -> stream.underWay.stream())
            .anyMatch(call -> right.equals(Optional.of(call.caller())));
    assertTrue(
        answer.isEmpty() || underWay || answer.equals(right),
        () -> "port " + port + ": " + answer + " after " + String.join(", ", steps));
  }
}
