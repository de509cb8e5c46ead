package dev.rollcall.agent.login.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Answers logins by the PAM module's own code: {@code services/pam/tests/decide.c}. */
final class DecideProgram implements AutoCloseable {
  private final Process process;
  private final BufferedWriter cases;
  private final BufferedReader answers;

  private DecideProgram(Process process) {
    this.process = process;
    this.cases = process.outputWriter(US_ASCII);
    this.answers = process.inputReader(US_ASCII);
  }

  private static Path built() throws IOException, InterruptedException {
    return PamProgram.built("decide");
  }

  static DecideProgram start() throws IOException, InterruptedException {
    return new DecideProgram(
        new ProcessBuilder(built().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /**
   * @param lines not more than fit a pipe with their answers: some hundreds
   */
  List<String> answer(List<String> lines) throws IOException {
    for (String line : lines) {
      // An empty line is the program's mark of an end, a space a case without words.
      cases.write(line.isEmpty() ? " " : line);
      cases.write('\n');
    }
    cases.write('\n');
    cases.flush();
    var found = new ArrayList<String>(lines.size());
    for (String answer = answers.readLine(); answer != null; answer = answers.readLine()) {
      if (answer.isEmpty()) {
        return found;
      }
      found.add(answer);
    }
    throw new IOException("the program ended, with " + process.onExit().join().exitValue());
  }

  /** What it says of a user by files of the agent's. */
  static List<String> show(Path directory, int uid) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(built().toString(), directory.toString(), Integer.toUnsignedString(uid))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), US_ASCII);
    if (process.waitFor() != 0) {
      throw new IOException("decide " + directory + ": " + said);
    }
    return said.lines().toList();
  }

  @Override
  public void close() throws IOException {
    cases.close();
    answers.close();
    process.destroy();
  }
}
