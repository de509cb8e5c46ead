package dev.rollcall.lab.fault;

/** Something that is wrong until this is closed. Closing twice is harmless. */
@FunctionalInterface
public interface Fault extends AutoCloseable {
  @Override
  void close();
}
