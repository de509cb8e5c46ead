package dev.rollcall.load.gateway;

import dev.rollcall.load.bench.AtExit;
import dev.rollcall.load.bench.BenchFailedException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A gateway of the distribution, on loopback, which can be killed and started again. */
public final class GatewayProcess {
  private static final long READY_WITHIN = TimeUnit.SECONDS.toNanos(120);
  private static final long ENDED_WITHIN_SECONDS = 40;
  private static final int HTTP_TIMEOUT_MS = 2_000;
  private static final int LINES_OF_LOG = 20;

  private final ProcessBuilder command;
  private final Path log;
  private final int port;
  private final int metrics;
  private @Nullable Process process;
  private @Nullable AtExit atExit;

  GatewayProcess(ProcessBuilder command, Path log, int port, int metrics) {
    this.command = command;
    this.log = log;
    this.port = port;
    this.metrics = metrics;
  }

  /** Where agents and clients come, on 127.0.0.1. */
  public int port() {
    return port;
  }

  public long pid() {
    return running().pid();
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException("the gateway was not started");
    }
    return process;
  }

  /** Starts it, which does not mean that it is ready. */
  public void start() {
    try {
      process = command.start();
      atExit = AtExit.of(this::kill);
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new BenchFailedException("cannot start " + command.command() + ": " + e, e);
    }
  }

  public void awaitReady() {
    long start = System.nanoTime();
    while (!isReady()) {
      if (!running().isAlive() || System.nanoTime() - start > READY_WITHIN) {
        throw new BenchFailedException("the gateway did not become ready:\n" + endOfLog());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private boolean isReady() {
    try {
      var page =
          (HttpURLConnection)
              URI.create("http://127.0.0.1:" + metrics + "/health/ready").toURL().openConnection();
      page.setConnectTimeout(HTTP_TIMEOUT_MS);
      page.setReadTimeout(HTTP_TIMEOUT_MS);
      return page.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      return false;
    }
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** SIGKILL; returns when it is gone. */
  public void kill() {
    Process killed = process;
    if (killed == null) {
      return;
    }
    killed.destroyForcibly();
    try {
      if (!killed.waitFor(ENDED_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        throw new BenchFailedException("gateway " + killed.pid() + " outlives SIGKILL");
      }
      if (atExit != null) {
        atExit.forget();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailedException("interrupted", e);
    }
  }

  /** The end of what it wrote. */
  public String endOfLog() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LINES_OF_LOG), lines.size()));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }
}
