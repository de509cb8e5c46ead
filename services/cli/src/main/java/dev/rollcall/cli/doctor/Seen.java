package dev.rollcall.cli.doctor;

import java.util.List;
import java.util.Optional;
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

  /** What is looked at next, by this value. */
  default <R> Seen<R> then(Function<T, Seen<R>> next) {
    return switch (this) {
      case Got<T>(T value) -> next.apply(value);
      case Not<T>(String why) -> new Not<>(why);
    };
  }

  /** A part of the value. */
  default <R> Seen<R> map(Function<T, R> part) {
    return then(value -> new Got<>(part.apply(value)));
  }

  default Optional<T> found() {
    return this instanceof Got<T>(T value) ? Optional.of(value) : Optional.empty();
  }

  /** What one check finds, or that it could not look. */
  default Finding finding(String id, Function<T, Finding> check) {
    return findings(id, value -> List.of(check.apply(value))).getFirst();
  }

  /** What a check finds, or that it could not look. */
  default List<Finding> findings(String id, Function<T, List<Finding>> check) {
    return switch (this) {
      case Got<T>(T value) -> check.apply(value);
      case Not<T>(String why) -> List.of(Finding.unseen(id, why));
    };
  }
}
