package dev.rollcall.agent.login.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;

/** A login that holds its user's lock, by the module's own code: {@code login_race ... hold}. */
final class HeldLock implements AutoCloseable {
  private final Process process;

  /**
   * @param run the directory above that of the login files
   */
  HeldLock(Path run, int uid) throws IOException, InterruptedException {
    process =
        new ProcessBuilder(
                PamProgram.built("login_race").toString(),
                run.toString(),
                Integer.toUnsignedString(uid),
                "hold")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals("held", process.inputReader().readLine());
  }

  /** Releases it, and waits until that is done. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
