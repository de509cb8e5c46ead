package dev.rollcall.cli.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.TerminalText;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * Prints the accounts of usage files in the columns of sacct, for databases that load these. A
 * session, step or job has one row: its first account with an end, else its last without one.
 */
@Command(
    name = "accounts",
    description = "Print accounts of sessions, steps and jobs in the columns of sacct -P.")
public final class AccountsCommand implements Callable<Integer> {
  /** Of a line. An account has some hundred. */
  private static final int MOST_BYTES = 65_536;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "The agents' usage_file, of one node or of several, also rotated (.gz).")
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

  /** Those with an end that are printed: 8 bytes each and their overhead, as they may be many. */
  private final Set<Long> ended = new HashSet<>();

  /** The others. The end of one may come in a later line, or in another file. */
  private final Map<Long, Account> running = new LinkedHashMap<>();

  static final class KindWord implements ITypeConverter<Account.Kind> {
    @Override
    public Account.Kind convert(String word) {
      return Account.Kind.of(word.toLowerCase(Locale.ROOT))
          .orElseThrow(
              () -> new TypeConversionException("'" + word + "' is neither session, step nor job"));
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
    running.values().forEach(account -> print(account, out));
    out.flush();
    return (good ? ExitCode.OK : ExitCode.FAILED).status();
  }

  /** False if the file cannot be read, or a line is no account: that is reported. */
  private boolean print(Path file, Set<Account.Kind> wanted, PrintWriter out) {
    boolean good = true;
    try (InputStream bytes = bytes(file)) {
      long number = 0;
      for (byte @Nullable [] line = line(bytes); line != null; line = line(bytes)) {
        number++;
        String place = file + " line " + number;
        good &=
            line.length > MOST_BYTES
                ? report(place + ": it is longer than " + MOST_BYTES + " bytes")
                : print(new String(line, UTF_8), place, wanted, out);
      }
      return good;
    } catch (NoSuchFileException e) {
      return report(file + ": there is no such file");
    } catch (IOException e) {
      return report(file + ": cannot be read: " + e);
    }
  }

  private static InputStream bytes(Path file) throws IOException {
    var bytes = new BufferedInputStream(Files.newInputStream(file));
    try {
      return file.toString().endsWith(".gz")
          ? new BufferedInputStream(new GZIPInputStream(bytes))
          : bytes;
    } catch (IOException e) {
      bytes.close();
      throw e;
    }
  }

  /** The next line, of which no more is kept than tells that it is too long; null: the end. */
  private static byte @Nullable [] line(InputStream bytes) throws IOException {
    var line = new ByteArrayOutputStream();
    int next = bytes.read();
    boolean end = next < 0;
    for (; next >= 0 && next != '\n'; next = bytes.read()) {
      if (line.size() <= MOST_BYTES) {
        line.write(next);
      }
    }
    return end ? null : line.toByteArray();
  }

  private boolean print(String line, String place, Set<Account.Kind> wanted, PrintWriter out) {
    try {
      Account account = Account.parse(line);
      if (wanted.contains(account.kind())) {
        printOnce(account, out);
      }
      return true;
    } catch (IllegalArgumentException e) {
      return report(place + ": " + e.getMessage());
    }
  }

  private void printOnce(Account account, PrintWriter out) {
    long identity = account.identity();
    if (account.ended().isPresent()) {
      running.remove(identity);
      if (ended.add(identity)) {
        print(account, out);
      }
    } else if (!ended.contains(identity)) {
      running.put(identity, account);
    }
  }

  private static void print(Account account, PrintWriter out) {
    out.println(SacctColumn.line(account, ZoneId.systemDefault()));
  }

  private boolean report(String problem) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("rollcall: " + TerminalText.of(problem));
    err.flush();
    return false;
  }
}
