package dev.rollcall.load.micro;

import java.util.List;
import java.util.stream.Stream;

/** The JVMs of what is shipped, by the flags of its launcher that change how fast code is. */
enum Jvm {
  AGENT("-Xms6m -Xmx48m -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=16m"),
  GATEWAY("-Xmx512m");

  private static final List<String> BOTH =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "-XX:-UsePerfData",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  /** Words. */
  private final String own;

  Jvm(String own) {
    this.own = own;
  }

  List<String> flags() {
    return Stream.concat(BOTH.stream(), Stream.of(own.split(" ", -1))).toList();
  }
}
