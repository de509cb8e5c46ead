package dev.rollcall.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Histories that are known to have an order, or none. */
class HistoryTest {
  /** A number that is read or written. */
  private record Touch(OptionalInt write) {}

  /** A register: reads answer what was written last, 0 at first. */
  private static final class Register implements Specification<Integer, Touch, Integer> {
    @Override
    public Integer start() {
      return 0;
    }

    @Override
    public Set<Integer> after(Integer state, RecordedCall<Touch, Integer> call, int step) {
      if (call.operation().write().isPresent()) {
        return Set.of(call.answer());
      }
      return state.equals(call.answer()) ? Set.of(state) : Set.of();
    }
  }

  /** A door that opens in two steps, with a moment ajar between. */
  private static final class SlowDoor implements Specification<String, String, String> {
    @Override
    public String start() {
      return "shut";
    }

    @Override
    public int steps(String operation) {
      return operation.equals("open") ? 2 : 1;
    }

    @Override
    public Set<String> after(String state, RecordedCall<String, String> call, int step) {
      if (call.operation().equals("open")) {
        return Set.of(step == 0 ? "ajar" : "open");
      }
      return call.answer().equals(state) ? Set.of(state) : Set.of();
    }
  }

  private static RecordedCall<Touch, Integer> write(int thread, int value, long begun, long ended) {
    return new RecordedCall<>(thread, 0, new Touch(OptionalInt.of(value)), value, begun, ended);
  }

  private static RecordedCall<Touch, Integer> read(int thread, int value, long begun, long ended) {
    return new RecordedCall<>(thread, 1, new Touch(OptionalInt.empty()), value, begun, ended);
  }

  private static Optional<List<RecordedCall<Touch, Integer>>> order(
      List<RecordedCall<Touch, Integer>> calls) {
    return new History<>(calls).order(new Register());
  }

  private static boolean doorCanBe(List<RecordedCall<String, String>> calls) {
    return new History<>(calls).order(new SlowDoor()).isPresent();
  }

  private static RecordedCall<String, String> look(
      int number, String seen, long begun, long ended) {
    return new RecordedCall<>(2, number, "look", seen, begun, ended);
  }

  @Test
  void nothingHasAnOrder() {
    assertEquals(Optional.of(List.of()), order(List.of()));
  }

  @Test
  void whatIsConcurrentMayComeEitherWay() {
    var write = write(1, 5, 0, 10);
    assertEquals(
        Optional.of(List.of(read(2, 0, 2, 4), write)), order(List.of(write, read(2, 0, 2, 4))));
    assertEquals(
        Optional.of(List.of(write, read(2, 5, 2, 4))), order(List.of(write, read(2, 5, 2, 4))));
  }

  @Test
  void aStaleReadHasNoOrder() {
    assertEquals(Optional.empty(), order(List.of(write(1, 5, 0, 10), read(2, 0, 11, 12))));
  }

  @Test
  void whatMeetsAtOneInstantIsConcurrent() {
    var write = write(1, 5, 0, 10);
    assertEquals(
        Optional.of(List.of(read(2, 0, 10, 12), write)), order(List.of(write, read(2, 0, 10, 12))));
  }

  @Test
  void aReadOfWhatNobodyWroteHasNoOrder() {
    assertEquals(Optional.empty(), order(List.of(write(1, 5, 0, 10), read(2, 6, 2, 4))));
  }

  @Test
  void newThenOldHasNoOrderEvenDuringTheWrite() {
    assertEquals(
        Optional.empty(), order(List.of(write(1, 5, 0, 10), read(2, 5, 1, 2), read(2, 0, 3, 4))));
  }

  @Test
  void twoReadersWhoSeeTwoWritesInTwoOrdersHaveNone() {
    assertEquals(
        Optional.empty(),
        order(
            List.of(
                write(1, 5, 0, 20),
                write(2, 6, 0, 20),
                read(3, 5, 1, 2),
                read(3, 6, 3, 4),
                read(4, 6, 1, 2),
                read(4, 5, 3, 4))));
  }

  @Test
  void stepsOfOneCallAreSeenInTheirOrder() {
    var open = new RecordedCall<>(1, 0, "open", "", 0, 10);
    assertEquals(
        true,
        doorCanBe(
            List.of(open, look(0, "shut", 1, 2), look(1, "ajar", 3, 4), look(2, "open", 5, 6))));
    assertEquals(false, doorCanBe(List.of(open, look(0, "open", 1, 2), look(1, "ajar", 3, 4))));
  }

  @Test
  void whenACallIsOverAllOfItsStepsAre() {
    var open = new RecordedCall<>(1, 0, "open", "", 0, 10);
    assertEquals(true, doorCanBe(List.of(open, look(0, "open", 11, 12))));
    assertEquals(false, doorCanBe(List.of(open, look(0, "ajar", 11, 12))));
  }

  /** All of a dozen are at once: 12! orders, twice, but few places. */
  @Test
  void aLongHistoryIsSearchedOnce() {
    List<RecordedCall<Touch, Integer>> calls = new ArrayList<>();
    for (int each = 0; each < 24; each++) {
      long begun = 10L * (each / 12);
      calls.add(write(each, each % 2, begun, begun + 9));
    }
    calls.add(read(24, 7, 0, 100));
    assertEquals(Optional.empty(), order(calls));
  }
}
