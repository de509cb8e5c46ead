package dev.rollcall.cli.connect;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.settings.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Opens a TCP connection to a host by its addresses, one after the other, within a time. */
public final class Dial {
  private Dial() {}

  public static SocketChannel open(String host, int port, Duration within) {
    long end = System.nanoTime() + within.toNanos();
    InetAddress[] addresses = resolve(host, within);
    IOException last = new ConnectException("no address");
    for (InetAddress address : addresses) {
      int left = (int) Math.max(1, (end - System.nanoTime()) / 1_000_000);
      try {
        return open(new InetSocketAddress(address, port), left);
      } catch (SocketTimeoutException e) {
        throw late(host, port, within, e);
      } catch (IOException e) {
        last = e;
      }
    }
    throw new CommandFailure(
        ExitCode.UNAVAILABLE,
        "cannot connect to " + new HostPort(host, port) + ": " + last.getMessage(),
        last);
  }

  private static SocketChannel open(InetSocketAddress address, int withinMs) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true); // as ssh does itself
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      channel.socket().connect(address, withinMs);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** A directory that hangs keeps nobody longer than the time that was given. */
  private static InetAddress[] resolve(String host, Duration within) {
    var answer = new FutureTask<>(() -> InetAddress.getAllByName(host));
    Thread.ofPlatform().daemon().name("resolve").start(answer);
    try {
      return answer.get(within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new CommandFailure(ExitCode.NOT_FOUND, "no host is named '" + host + "'", e);
    } catch (TimeoutException e) {
      throw new CommandFailure(
          ExitCode.UNAVAILABLE,
          "the address of '" + host + "' was not found within " + seconds(within),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
    }
  }

  private static CommandFailure late(String host, int port, Duration within, IOException cause) {
    return new CommandFailure(
        ExitCode.UNAVAILABLE,
        new HostPort(host, port) + " did not answer within " + seconds(within),
        cause);
  }

  private static String seconds(Duration time) {
    return time.toSeconds() + " s";
  }
}
