package dev.rollcall.cli.ask;

import io.grpc.Channel;

/** An open connection to a {@link Target}. */
public interface OpenChannel extends AutoCloseable {
  Channel channel();

  @Override
  void close();
}
