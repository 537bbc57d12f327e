package dev.trestle.engine.hbase;

import dev.trestle.engine.EngineException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Logs in to a cluster with Kerberos, from a keytab if one is configured, otherwise with the ticket of the user.
 * The HBase client renews the ticket of a keytab before it expires.
 */
final class KerberosLogin {
    private static final String KERBEROS = "kerberos";
    private static final String KEYTAB = "hbase.client.keytab.file";
    private static final String PRINCIPAL = "hbase.client.keytab.principal";
    private static final String BOTH_SETTINGS = KEYTAB + " and " + PRINCIPAL;

    private KerberosLogin() {}

    /**
     * Logs in if the configuration requires Kerberos.
     *
     * @throws EngineException if that fails, with a message for the operator
     */
    static void ifRequired(Configuration configuration) {
        if (isKerberos(configuration, CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION)
                || isKerberos(configuration, User.HBASE_SECURITY_CONF_KEY)) {
            login(configuration);
        }
    }

    private static void login(Configuration configuration) {
        String keytab = configuration.getTrimmed(KEYTAB, "");
        String principal = configuration.getTrimmed(PRINCIPAL, "");
        if (keytab.isEmpty() != principal.isEmpty()) {
            throw refusal("The settings " + BOTH_SETTINGS + " belong together, and hbase-site.xml has only one.");
        }
        if (!keytab.isEmpty() && !Files.isReadable(Path.of(keytab))) {
            throw refusal("The keytab " + keytab + ", named by hbase-site.xml, cannot be read by this user.");
        }
        useKerberos(configuration);
        if (keytab.isEmpty()) {
            requireTicket();
        } else {
            loginFrom(keytab, principal);
        }
    }

    private static boolean isKerberos(Configuration configuration, String setting) {
        return KERBEROS.equalsIgnoreCase(configuration.getTrimmed(setting));
    }

    private static void useKerberos(Configuration configuration) {
        // An hbase-site.xml alone does not configure Hadoop, and the login is common to both.
        Configuration secured = new Configuration(configuration);
        secured.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, KERBEROS);
        try {
            UserGroupInformation.setConfiguration(secured);
        } catch (IllegalArgumentException e) {
            throw refusal(
                    "The cluster asks for Kerberos, and the realm is not known here: it takes an /etc/krb5.conf with a"
                            + " default_realm, or TRESTLE_JAVA_OPTS=-Djava.security.krb5.conf=FILE.",
                    e);
        }
    }

    private static void loginFrom(String keytab, String principal) {
        try {
            UserGroupInformation.loginUserFromKeytab(
                    SecurityUtil.getServerPrincipal(principal, InetAddress.getLocalHost()), keytab);
        } catch (IOException e) {
            throw refusal(
                    "Kerberos does not let in " + principal + " with the keytab " + keytab + " (" + reason(e)
                            + "): correct " + BOTH_SETTINGS + " in hbase-site.xml, or the kdc in krb5.conf.",
                    e);
        }
    }

    private static void requireTicket() {
        try {
            if (UserGroupInformation.getLoginUser().hasKerberosCredentials()) {
                return;
            }
        } catch (IOException e) {
            throw refusal("The ticket for Kerberos cannot be used (" + reason(e) + "): run kinit again.", e);
        }
        throw refusal("The cluster asks for Kerberos, and there is no ticket: set " + BOTH_SETTINGS
                + " in hbase-site.xml, or run kinit before the start.");
    }

    /** Returns the message of the cause; Hadoop's own message repeats the principal and the keytab. */
    private static String reason(IOException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return String.valueOf(cause.getMessage()).strip();
    }

    private static EngineException refusal(String sentence) {
        return new EngineException(EngineException.Kind.UNAVAILABLE, sentence);
    }

    private static EngineException refusal(String sentence, Throwable cause) {
        return new EngineException(EngineException.Kind.UNAVAILABLE, sentence, cause);
    }
}
