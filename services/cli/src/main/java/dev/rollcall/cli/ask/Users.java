package dev.rollcall.cli.ask;

import java.util.Optional;

/** The users of this machine. */
public interface Users {
  /** One user; {@code uid} and {@code gid} are 0 to 2^32 - 2. */
  record User(String name, long uid, long gid, String home, String shell) {}

  /** Finds a user by name, also if the name is made of digits. */
  Optional<User> named(String name);

  Optional<User> find(int uid);

  /** The user's name, or the number where nobody knows it. */
  default String nameOf(int uid) {
    return find(uid).map(User::name).orElseGet(() -> Integer.toUnsignedString(uid));
  }
}
