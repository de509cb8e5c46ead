package dev.rollcall.cli.text;

import dev.rollcall.cli.exit.ExitCode;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code --json}, and the printing that obeys it. */
public final class Printing {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "Print JSON, on one line.")
  private boolean json;

  /** Whether it is programs that read. */
  public boolean json() {
    return json;
  }

  /** Whether the output so far could be written. */
  public boolean isRead() {
    return !spec.commandLine().getOut().checkError();
  }

  /** Prints a table for people, the value for programs. Returns the status of success. */
  public int print(Table table, Object value) {
    return print(String.join(System.lineSeparator(), table.lines()), value);
  }

  /** Prints a line on standard error, beside the output. */
  public void note(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("rollcall: " + line);
    err.flush();
  }

  /** Prints a text for people, the value for programs. Returns the status of success. */
  public int print(String text, Object value) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? JsonWriter.write(value) : text);
    out.flush();
    return ExitCode.OK.status();
  }
}
