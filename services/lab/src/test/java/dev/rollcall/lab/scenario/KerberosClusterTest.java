package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tickets that a client delegates by GSSAPI, with MIT's KDC, in a job with a /tmp of its own. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class KerberosClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String SETTINGS =
      """
      [libdefaults]
        default_realm = LAB
        dns_lookup_kdc = false
        dns_canonicalize_hostname = false
        rdns = false
        qualify_shortname = ""
        forwardable = true
        renew_lifetime = 1h
      [realms]
        LAB = {
          kdc = node2:8088
        }
      """;
  private static final String KDC =
      """
      mkdir -p /run/kdc && cd /run/kdc
      cat > kdc.conf <<'END'
      [kdcdefaults]
        kdc_listen = 8088
        kdc_tcp_listen = 8088
      [realms]
        LAB = {
          database_name = /run/kdc/principal
          key_stash_file = /run/kdc/stash
          max_renewable_life = 1h
        }
      END
      kdb5_util create -s -W -P master >&2
      kadmin.local >&2 <<'END'
      addprinc -pw horse -maxrenewlife 1h alice
      modprinc -maxrenewlife 1h krbtgt/LAB
      addprinc -randkey host/node2
      ktadd -k /etc/krb5.keytab host/node2
      END
      exec krb5kdc -n
      """;

  private static Running kdc(Stage stage) throws IOException {
    for (ClusterNode node : List.of(stage.node1(), stage.node2())) {
      Files.writeString(node.file("/etc/krb5.conf"), SETTINGS);
    }
    Running kdc =
        stage
            .node2()
            .start(User.ROOT, "env", "KRB5_KDC_PROFILE=/run/kdc/kdc.conf", "sh", "-ec", KDC);
    // kinit does not wait for a KDC that does not listen yet.
    stage
        .node1()
        .shell(
            User.ALICE,
            "for i in $(seq 100); do echo horse | kinit -c FILE:$HOME/ticket alice && exit; sleep 0.1; done; exit 1")
        .outOrThrow("kinit");
    return kdc;
  }

  private static Result session(Stage stage, String command, String... options) {
    var ssh = new ArrayList<>(SecondSshd.ssh("node2", command));
    ssh.addAll(1, List.of("KRB5CCNAME=FILE:/home/alice/ticket"));
    ssh.addAll(
        ssh.indexOf("ssh") + 1,
        List.of("-o", "GSSAPIAuthentication=yes", "-o", "GSSAPIDelegateCredentials=yes"));
    ssh.addAll(ssh.indexOf("ssh") + 1, List.of(options));
    return stage.node1().exec(User.ALICE, ssh.toArray(String[]::new));
  }

  @Test
  void aDelegatedTicketIsInTheJobAndNowhereAfterTheSession(Stage stage) throws IOException {
    var module = SourceTree.DISTRIBUTION.resolve("lib/security").resolve("pam_rollcall.so");
    Running kdc = kdc(stage);
    try (var jobs = stage.begin(1, User.ALICE, stage.node2());
        var _ = SecondSshd.start(stage.node2(), "gssapi-with-mic", "", module)) {
      Result said =
          session(
              stage,
              "klist -s && kinit -R && klist -f | grep -c krbtgt/LAB; echo $SLURM_JOB_ID; echo $KRB5CCNAME; ls ${KRB5CCNAME#FILE:}");
      List<String> lines =
          said.outOrThrow(
                  "ssh: "
                      + said.err()
                      + Files.readString(stage.node2().file("/var/log/sshd-second.log")))
              .lines()
              .toList();
      assertEquals(List.of("1", Long.toString(jobs.newest())), lines.subList(0, 2), said.err());
      String file = lines.getLast();
      assertTrue(lines.get(2).endsWith(file), lines::toString);
      assertTrue(file.startsWith("/tmp/krb5cc_2001_"), file);
      assertFalse(Files.exists(stage.node2().file(file)));
      // sshd removes it when the client has gone.
      assertTrue(
          Eventually.holds(
              DEADLINE,
              () ->
                  stage
                      .startInJob(stage.node2(), jobs.newest(), User.ALICE, "ls", "-A", "/tmp")
                      .await(DEADLINE)
                      .out()
                      .isEmpty()));
      assertFalse(Files.exists(stage.node2().file(file)));
    } finally {
      kdc.kill();
    }
  }
}
