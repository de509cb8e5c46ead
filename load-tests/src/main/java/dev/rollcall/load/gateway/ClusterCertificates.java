package dev.rollcall.load.gateway;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.authority.KeyFile;
import dev.rollcall.authority.Names;
import dev.rollcall.load.bench.BenchFailedException;
import dev.rollcall.model.RoleUri.Role;
import dev.rollcall.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SortedSet;
import java.util.TreeSet;

/** Certificates of one cluster, by an authority of its own. */
public final class ClusterCertificates implements AutoCloseable {
  public static final String CLUSTER = "bench";
  private static final Duration LIFE = Duration.ofDays(2);

  private final Path directory;
  private final Authority authority;

  private ClusterCertificates(Path directory, Authority authority) {
    this.directory = directory;
    this.authority = authority;
  }

  /**
   * @param directory gets the authority, and the files of each identity in one of its own
   */
  public static ClusterCertificates in(Path directory) {
    try {
      return new ClusterCertificates(
          directory,
          Authority.init(directory.resolve("ca"), CLUSTER, LIFE, InstantSource.system()));
    } catch (IOException | AuthorityException e) {
      throw new BenchFailedException("no authority in " + directory + ": " + e.getMessage(), e);
    }
  }

  /** One for all gateways, which are on loopback. */
  public TlsFiles gateway() {
    return issued(Role.GATEWAY, "gate", "127.0.0.1");
  }

  public TlsFiles node(String name, String address) {
    return issued(Role.NODE, name, address);
  }

  /** Of one who may ask for everything. */
  public TlsFiles administrator() {
    return issued(Role.ADMINISTRATOR, "measurer");
  }

  /** Of a service at an address and port. */
  public TlsFiles service(String name, String address, int port) {
    return issued(Role.SERVICE, name, new TreeSet<>(java.util.Set.of(port)), address);
  }

  private TlsFiles issued(Role role, String name, String... addresses) {
    return issued(role, name, new TreeSet<>(), addresses);
  }

  private TlsFiles issued(Role role, String name, SortedSet<Integer> ports, String... addresses) {
    SortedSet<String> where = new TreeSet<>(java.util.List.of(addresses));
    var names = new Names(CLUSTER, role, name, ports, where, new TreeSet<>());
    KeyPair keys = KeyFile.generate();
    try {
      Path own = Files.createDirectories(directory.resolve(role.word() + "-" + name));
      Path certificate = own.resolve("certificate.pem");
      Path key = own.resolve("key.pem");
      Files.write(certificate, authority.issue(keys.getPublic(), names, LIFE).pem());
      Files.write(key, KeyFile.pem(keys.getPrivate()));
      return new TlsFiles(authority.root(), certificate, key);
    } catch (IOException | AuthorityException e) {
      throw new BenchFailedException("no certificate for " + name + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      authority.close();
    } catch (IOException e) {
      throw new BenchFailedException("cannot close the authority in " + directory, e);
    }
  }
}
