package dev.rollcall.agent.login.socket;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import io.vertx.core.buffer.Buffer;

/**
 * Frames at the login socket, and the requests in them; each input once more as a request of its
 * own.
 */
class RequestFuzzTest {
  /** Whose request it is matters to nothing here. */
  private record Nobody() implements PinnedProcess {
    @Override
    public ProcessRef ref() {
      return new ProcessRef(1, 1);
    }

    @Override
    public boolean alive() {
      return true;
    }

    @Override
    public void close() {}
  }

  private static final long LONGEST_PATIENCE = 60_000_000_000L;

  @FuzzTest
  void fuzz(byte[] input) {
    switch (Frame.read(Buffer.buffer(input))) {
      case Frame.Read.Complete(Buffer message) -> request(message);
      case Frame.Read.Broken(RequestFailure _, String detail) -> assertFalse(detail.isEmpty());
      case Frame.Read.Incomplete() -> assertTrue(input.length < 4 + Frame.LONGEST_REQUEST);
    }
    request(Buffer.buffer(input));
  }

  private static void request(Buffer message) {
    try {
      AdoptionRequested read =
          new RequestReader(new NodeName("node2")).read(message, new Nobody(), 0);
      long patience = read.deadline().nanoTime();
      assertTrue(patience > 0 && patience <= LONGEST_PATIENCE, () -> patience + " ns");
      assertTrue(read.connection().isEmpty() || read.connectionProblem().isEmpty());
    } catch (RequestReader.BadRequestException e) {
      assertFalse(requireNonNull(e.getMessage()).isBlank());
    }
  }
}
