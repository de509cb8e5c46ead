package dev.rollcall.load.micro;

import dev.rollcall.linux.net.DiagSocket;
import dev.rollcall.linux.net.Netns;
import dev.rollcall.linux.net.SockDiag;
import dev.rollcall.model.Connection;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One socket of this machine, asked for by its connection. */
@State(Scope.Thread)
@NullUnmarked // JMH makes the state, and then sets it up
public class Sockets {
  private LoopbackCall call;
  private Connection connection;
  private Netns netns;
  private SockDiag sockets;

  @Setup(Level.Trial)
  public void open() throws IOException {
    call = LoopbackCall.open();
    connection = call.connection();
    netns = Netns.own();
    sockets = SockDiag.open(netns);
    if (find().isEmpty()) {
      throw new IOException("the kernel does not find " + connection);
    }
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    sockets.close();
    netns.close();
    call.close();
  }

  @Benchmark
  public Optional<DiagSocket> find() throws IOException {
    return sockets.find(connection);
  }
}
