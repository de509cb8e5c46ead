package dev.rollcall.cli.doctor;

import java.util.List;
import java.util.function.Function;

/** A value that was read, or the reason why it could not be read. */
public sealed interface Seen<T> {
  /** As it was. */
  record Got<T>(T value) implements Seen<T> {}

  /**
   * Nobody could look.
   *
   * @param why for people
   */
  record Not<T>(String why) implements Seen<T> {}

  /** What a check finds, or that it could not look. */
  default List<Finding> findings(String id, Function<T, List<Finding>> check) {
    return switch (this) {
      case Got<T>(T value) -> check.apply(value);
      case Not<T>(String why) -> List.of(Finding.unseen(id, why));
    };
  }
}
