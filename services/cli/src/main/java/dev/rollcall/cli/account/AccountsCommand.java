package dev.rollcall.cli.account;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.TerminalText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Prints the accounts of usage files in the columns of sacct, for databases that load these. */
@Command(
    name = "accounts",
    description = "Print accounts of sessions, steps and jobs in the columns of sacct -P.")
public final class AccountsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "The agents' usage_file, of one node or of several.")
  private List<Path> files = List.of();

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      split = ",",
      converter = KindWord.class,
      description = "Print only these: session, step, job (default: all).")
  private List<Account.Kind> kinds = List.of(Account.Kind.values());

  @Option(names = "--noheader", description = "Leave out the line with the names of the columns.")
  private boolean withoutHeader;

  static final class KindWord implements ITypeConverter<Account.Kind> {
    @Override
    public Account.Kind convert(String word) {
      for (Account.Kind kind : Account.Kind.values()) {
        if (kind.word().equals(word.toLowerCase(Locale.ROOT))) {
          return kind;
        }
      }
      throw new TypeConversionException("'" + word + "' is neither session, step nor job");
    }
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (!withoutHeader) {
      out.println(SacctColumn.header());
    }
    Set<Account.Kind> wanted = EnumSet.copyOf(kinds);
    boolean good = true;
    for (Path file : files) {
      good &= print(file, wanted, out);
    }
    out.flush();
    return (good ? ExitCode.OK : ExitCode.FAILED).status();
  }

  /** False if a line is no account: it is reported, and the others are printed. */
  private boolean print(Path file, Set<Account.Kind> wanted, PrintWriter out) {
    boolean good = true;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      long number = 0;
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        good &= print(line, file + " line " + number, wanted, out);
      }
      return good;
    } catch (NoSuchFileException e) {
      throw new CommandFailure(ExitCode.NOT_FOUND, file + ": there is no such file", e);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, file + ": cannot be read: " + e, e);
    }
  }

  private boolean print(String line, String place, Set<Account.Kind> wanted, PrintWriter out) {
    try {
      Account account = Account.parse(line);
      if (wanted.contains(account.kind())) {
        out.println(SacctColumn.line(account, ZoneId.systemDefault()));
      }
      return true;
    } catch (IllegalArgumentException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("rollcall: " + TerminalText.of(place + ": " + e.getMessage()));
      err.flush();
      return false;
    }
  }
}
