package dev.rollcall.cli;

import dev.rollcall.cli.account.AccountsCommand;
import dev.rollcall.cli.ask.AskingCommand;
import dev.rollcall.cli.ask.CliContext;
import dev.rollcall.cli.ask.JobWord;
import dev.rollcall.cli.ask.NodeNames;
import dev.rollcall.cli.ask.TokenCommand;
import dev.rollcall.cli.authority.CaCommands;
import dev.rollcall.cli.caller.WhoisCommand;
import dev.rollcall.cli.config.ConfigCheckCommand;
import dev.rollcall.cli.config.ConfigShowCommand;
import dev.rollcall.cli.connect.ConnectCommand;
import dev.rollcall.cli.connect.SshCommand;
import dev.rollcall.cli.doctor.DoctorCommand;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.CommandGroup;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.job.EfficiencyCommand;
import dev.rollcall.cli.job.JobCommands;
import dev.rollcall.cli.job.JobsCommand;
import dev.rollcall.cli.job.PsCommand;
import dev.rollcall.cli.job.UsageCommand;
import dev.rollcall.cli.node.NodeCleanCommand;
import dev.rollcall.cli.node.NodesCommand;
import dev.rollcall.cli.node.OutsideCommand;
import dev.rollcall.cli.session.EnterCommand;
import dev.rollcall.cli.session.ExplainCommand;
import dev.rollcall.cli.session.SessionsCommand;
import dev.rollcall.cli.session.SwitchCommand;
import dev.rollcall.cli.session.WatchCommand;
import dev.rollcall.cli.session.WhyCommand;
import dev.rollcall.cli.text.DurationText;
import dev.rollcall.cli.text.TerminalText;
import dev.rollcall.cli.top.TopCommand;
import dev.rollcall.cli.verify.VerifyCommand;
import dev.rollcall.model.Endpoint;
import dev.rollcall.model.JobId;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.RoleUri;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Amount;
import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.model.allocation.Rlimit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Puts the commands together, and holds the one way in which a failure is told. */
public final class CommandTree {
  private static final String COMPLETION = "completion";

  private CommandTree() {}

  /** All commands. */
  public static CommandLine of(CliContext outside) {
    return together(outside, commands(outside));
  }

  /**
   * The commands that these words need: one, if the first word names it. All of them take most of
   * the time of a command's start.
   */
  static CommandLine of(CliContext outside, String[] words) {
    Map<String, Supplier<Object>> all = commands(outside);
    boolean one = words.length > 0 && all.containsKey(words[0]) && !words[0].equals(COMPLETION);
    return together(outside, one ? Map.of(words[0], all.get(words[0])) : all);
  }

  private static Map<String, Supplier<Object>> commands(CliContext outside) {
    var commands = new LinkedHashMap<String, Supplier<Object>>();
    commands.put("job", () -> JobCommands.all(outside));
    commands.put("jobs", JobsCommand::new);
    commands.put("ps", PsCommand::new);
    commands.put("outside", OutsideCommand::new);
    commands.put("usage", UsageCommand::new);
    commands.put("efficiency", EfficiencyCommand::new);
    commands.put("accounts", AccountsCommand::new);
    commands.put("whois", WhoisCommand::new);
    commands.put("why", WhyCommand::new);
    commands.put("explain", ExplainCommand::new);
    commands.put("sessions", SessionsCommand::new);
    commands.put("watch", WatchCommand::new);
    commands.put("connect", ConnectCommand::new);
    commands.put("ssh", () -> new SshCommand(outside));
    commands.put("switch", SwitchCommand::new);
    commands.put("enter", () -> new EnterCommand(outside));
    commands.put("verify", VerifyCommand::new);
    commands.put("doctor", () -> new DoctorCommand(RollcallCommand.version()));
    commands.put("top", TopCommand::new);
    commands.put("node", CommandTree::node);
    commands.put("nodes", NodesCommand::new);
    commands.put("token", TokenCommand::new);
    commands.put("config", CommandTree::config);
    commands.put("ca", () -> CaCommands.all(outside.users()));
    commands.put(COMPLETION, RollcallCommand.Completion::new);
    return commands;
  }

  private static CommandLine node() {
    return new CommandGroup()
        .called("node", "Check this node.")
        .addSubcommand("clean", new NodeCleanCommand());
  }

  private static CommandLine config() {
    return new CommandGroup()
        .called("config", "Check configuration files, or show the values in use.")
        .addSubcommand("check", new ConfigCheckCommand())
        .addSubcommand("show", new ConfigShowCommand());
  }

  private static CommandLine together(CliContext outside, Map<String, Supplier<Object>> commands) {
    var root = new CommandLine(new RollcallCommand());
    commands.forEach((name, command) -> root.addSubcommand(name, command.get()));
    everywhere(root, outside);
    return root.registerConverter(Endpoint.class, checked(Endpoint::parse))
        .registerConverter(DurationText.class, checked(DurationText::parse))
        .registerConverter(Instant.class, checked(CommandTree::instant))
        .registerConverter(JobId.class, checked(JobWord::parse))
        .registerConverter(StepId.class, checked(StepId::new))
        .registerConverter(NodeName.class, checked(NodeName::new))
        .registerConverter(NodeNames.class, checked(NodeNames::parse))
        .registerConverter(Amount.class, checked(Amount::parse))
        .registerConverter(NumberList.class, checked(NumberList::new))
        .registerConverter(CpuMax.class, checked(CpuMax::parse))
        .registerConverter(IoMax.class, checked(IoMax::parse))
        .registerConverter(DeviceRule.class, checked(DeviceRule::parse))
        .registerConverter(RoleUri.Role.class, checked(RoleUri.Role::of))
        .registerConverter(Rlimit.class, checked(Rlimit::parse))
        .setExecutionStrategy(CommandTree::run)
        .setExecutionExceptionHandler(CommandTree::failed)
        .setParameterExceptionHandler(CommandTree::misused);
  }

  /** Help for each command, and no abbreviations: scripts outlive today's options. */
  private static void everywhere(CommandLine command, CliContext outside) {
    if (command.getCommandSpec().userObject() instanceof AskingCommand asking) {
      asking.reach(outside);
    }
    if (!command.getMixins().containsKey("mixinStandardHelpOptions")) {
      command.getCommandSpec().mixinStandardHelpOptions(true);
    }
    command.setAbbreviatedOptionsAllowed(false);
    command.getSubcommands().values().forEach(each -> everywhere(each, outside));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not an instant such as 2026-11-20T09:30:00Z", e);
    }
  }

  /** The type's own message reaches the user, in place of "cannot convert". */
  private static <T> CommandLine.ITypeConverter<T> checked(Function<String, T> parse) {
    return text -> {
      try {
        return parse.apply(text);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(text(e));
      }
    };
  }

  /** A command whose output was cut has failed, unless its reader went away, as head(1) does. */
  private static int run(CommandLine.ParseResult parsed) {
    CommandLine root = parsed.commandSpec().root().commandLine();
    PrintWriter out = root.getOut(); // its subcommands have the same from now on
    try {
      JobWord.lookUp(parsed);
    } catch (CommandFailure e) {
      return tell(root, e.line(), e.code());
    }
    int status = new CommandLine.RunLast().execute(parsed);
    boolean cut = out.checkError() || System.out.checkError();
    return cut && status == ExitCode.OK.status() && !isPipe()
        ? tell(root, "the output could not be written to its end", ExitCode.FAILED)
        : status;
  }

  /** A link without a slash at its beginning is no file's name, proc_pid_fd(5). */
  private static boolean isPipe() {
    try {
      return !Files.readSymbolicLink(Path.of("/proc/self/fd/1")).isAbsolute();
    } catch (IOException e) {
      return false;
    }
  }

  private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (e instanceof CommandFailure failure) {
      return tell(command, failure.line(), failure.code());
    }
    throw e;
  }

  private static int misused(CommandLine.ParameterException e, String[] words) {
    CommandLine command = e.getCommandLine();
    return tell(
        command,
        text(e) + " (see " + command.getCommandSpec().qualifiedName() + " --help)",
        ExitCode.USAGE);
  }

  private static String text(Exception e) {
    return String.valueOf(e.getMessage());
  }

  private static int tell(CommandLine command, String message, ExitCode code) {
    command
        .getErr()
        .println("rollcall: " + TerminalText.of(message.replaceAll("\\p{Cntrl}+", " ")));
    command.getErr().flush();
    return code.status();
  }
}
