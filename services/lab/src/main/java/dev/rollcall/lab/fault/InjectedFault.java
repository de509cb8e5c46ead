package dev.rollcall.lab.fault;

/** Something that is wrong until this is closed. Closing twice is harmless. */
@FunctionalInterface
public interface InjectedFault extends AutoCloseable {
  @Override
  void close();
}
